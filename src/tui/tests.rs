//! Screens as pictures, and random keys at random sizes.

use super::fake;

#[test]
#[ignore = "writes pictures for people to look at"]
fn pictures() {
    use super::action::Action;
    use super::fake::TORUS;
    use super::picture::{DARK, LIGHT, svg, text};
    use super::theme::{Kind, Theme};
    use super::view::View;
    use crate::topology::cube::Family;
    let folder = std::path::PathBuf::from(std::env::var("PICTURES").unwrap());
    let dark = Theme::default();
    let light = Theme { kind: Kind::Light, ..dark };
    let mono = Theme { kind: Kind::Mono, ..dark };
    let write = |name: &str, app: &super::app::App, paper| {
        let buffer = fake::buffer(app);
        std::fs::write(folder.join(format!("{name}.svg")), svg(&buffer, paper)).unwrap();
        std::fs::write(folder.join(format!("{name}.txt")), text(&buffer)).unwrap();
    };
    let eight = fake::scenario(TORUS, &[8, 8], 4);
    let sixteen = fake::scenario(TORUS, &[16, 16], 4);
    let big = fake::scenario(TORUS, &[64, 64], 4);
    let app = fake::app(fake::update(&eight, 14), dark, false, (80, 24));
    write("s80", &app, DARK);
    let app = fake::app(fake::update(&eight, 14), mono, true, (80, 24));
    write("s80_ascii", &app, DARK);
    let mut app = fake::app(fake::outside(fake::update(&sixteen, 60)), dark, false, (120, 40));
    write("s120", &app, DARK);
    app.update(Action::View(View::Utilisation));
    write("s120_use", &app, DARK);
    app.update(Action::View(View::Classes));
    write("s120_classes", &app, DARK);
    let app = fake::app(fake::update(&sixteen, 60), light, false, (120, 40));
    write("s120_light", &app, LIGHT);
    let mut app = fake::app(fake::update(&sixteen, 60), dark, false, (200, 60));
    write("s200", &app, DARK);
    app.update(Action::View(View::Classes));
    write("s200_classes", &app, DARK);
    let app = fake::app(fake::update(&eight, 40), dark, false, (200, 60));
    write("s200_eight", &app, DARK);
    let mut app = fake::app(fake::update(&big, 900), dark, false, (200, 60));
    app.update(Action::View(View::Occupancy));
    write("s200_big", &app, DARK);
    app.update(Action::ZoomIn);
    write("s200_big1", &app, DARK);
    let app = fake::app(fake::deadlocked(Family::Mesh, &[8, 8]), dark, false, (120, 40));
    write("deadlock", &app, DARK);
    let mut app = fake::app(fake::update(&eight, 14), dark, false, (100, 30));
    app.update(Action::Open);
    app.update(Action::Down);
    write("chooser", &app, DARK);
    app.update(Action::Back);
    app.update(Action::Help);
    write("help", &app, DARK);
    let cube = fake::scenario(Family::Hypercube, &[2; 12], 2);
    let app = fake::app(fake::update(&cube, 900), dark, false, (120, 40));
    write("cube", &app, DARK);
    let app = fake::app(fake::update(&eight, 14), dark, false, (30, 8));
    write("tiny", &app, DARK);
}
