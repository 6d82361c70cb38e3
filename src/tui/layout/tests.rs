//! Tests that every arrangement fits the screen, for all sizes and presets.

use super::*;

#[test]
fn everything_lies_on_the_screen_and_columns_are_full() {
    for width in (60..260).step_by(7) {
        for height in (16..90).step_by(3) {
            for (nth, guest) in (0..).zip(Pane::ALL.iter().copied()) {
                for preset in Preset::ALL {
                    let all = [(1, 0, 1), (2, 0, 2), (1, 0, 2), (2, 1, 2), (3, 1, 3)];
                    let (networks, active, runs) = all[usize::from(width + height + nth) % 5];
                    let panes = PaneState {
                        focus: if u16::is_multiple_of(height, 2) { guest } else { Pane::Grid },
                        spare_pane: guest,
                        told: height % 30,
                        table: match guest {
                            Pane::Links | Pane::Messages => Some(guest),
                            _ if u16::is_multiple_of(width, 2) => Some(Pane::Links),
                            _ => None,
                        },
                        preset,
                        ..PaneState::default()
                    };
                    let input = LayoutInput {
                        panes,
                        class_rows: 4 + height % 2 * 5,
                        networks,
                        active,
                        runs,
                        lens: u16::is_multiple_of(width, 3),
                        card: u16::is_multiple_of(width, 7),
                        tour: u16::is_multiple_of(width + height, 5),
                    };
                    check(width, height, &input);
                }
            }
        }
    }
}

fn check(width: u16, height: u16, input: &LayoutInput) {
    let arranged = arrange(width, height, input);
    let screen = Rect::new(0, 0, width, height);
    let name = format!("{input:?} {width}x{height}");
    for (nth, &(pane, rect)) in arranged.panes.iter().enumerate() {
        assert_eq!(rect.intersection(screen), rect, "{pane:?} {name}");
        assert!(rect.width > 20 && rect.height > 2, "{pane:?} {rect:?} {name}");
        // Frames overlap in borders only, and each pane occurs once.
        for &(other, there) in &arranged.panes[nth + 1..] {
            assert_ne!(pane, other, "{name}");
            let common = inside(rect).intersection(inside(there));
            assert!(common.is_empty(), "{pane:?} and {other:?} {name}");
        }
    }
    for rect in arranged.others.iter().chain(&arranged.strip) {
        assert_eq!(rect.intersection(screen), *rect, "{name}");
        assert!(rect.width > 4 && rect.height > 2, "{name}");
    }
    let bottom = arranged.panes.iter().map(|(_, rect)| rect.bottom()).max();
    let end = arranged.strip.map_or(arranged.timeline.y, |strip| strip.y);
    assert_eq!(bottom, Some(end), "{name}");
    assert_eq!(arranged.strip.is_some(), input.runs > 1);
    assert!(arranged.strip.is_none_or(|it| it.bottom() == arranged.timeline.y), "{name}");
    for (nth, &other) in arranged.others.iter().enumerate() {
        let own = arranged.pane(Pane::Grid).unwrap();
        assert_eq!((own.width, own.height), (other.width, other.height), "{name}");
        for rect in arranged.others[..nth].iter().chain([&own]) {
            assert!(rect.intersection(other).is_empty(), "{name}");
        }
    }
    if !arranged.others.is_empty() {
        assert_eq!(arranged.others.len() + 1, usize::from(input.networks), "{name}");
        return;
    }
    assert_eq!(arranged.panes.iter().map(|(_, rect)| rect.right()).max(), Some(width), "{name}");
    let alone = arranged.panes.len() == 1;
    assert!(alone || arranged.pane(input.panes.focus).is_some(), "{name}");
    assert!(!input.tour || arranged.pane(Pane::Tour).is_some(), "{name}");
    if input.panes.preset != Preset::Network
        && !input.tour
        && !(input.panes.focus == input.panes.spare_pane && height < 24)
    {
        assert!(alone || arranged.pane(Pane::Latency).is_some(), "{name}");
    }
}

#[test]
fn what_is_said_of_a_router_is_said_whole_where_the_histogram_leaves_room() {
    for (width, height, told) in [(80, 24, 11), (80, 24, 4), (120, 40, 20)] {
        let panes = PaneState { spare_pane: Pane::Inspector, told, ..PaneState::default() };
        let input = LayoutInput { panes, ..input() };
        let arranged = arrange(width, height, &input);
        let said = arranged.inside(Pane::Inspector).unwrap().height;
        assert!(said >= told, "{said} of {told} lines at {width}x{height}");
        assert!(arranged.pane(Pane::Latency).is_some(), "{width}x{height}");
    }
}

fn input() -> LayoutInput {
    LayoutInput {
        panes: PaneState::default(),
        class_rows: 4,
        networks: 1,
        active: 0,
        runs: 1,
        lens: false,
        card: false,
        tour: false,
    }
}
