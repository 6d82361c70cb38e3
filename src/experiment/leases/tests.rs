//! Tests of leases: acquisition, release and takeover.

use std::thread::sleep;

use super::*;

fn leases(folder: &Path) -> Leases {
    Leases::of(folder.join("claims"), TIMEOUT)
}

fn held(taken: &Taken) -> bool {
    matches!(taken, Taken::Held(_))
}

/// The lease of a program on another machine, last renewed `ago` seconds ago.
fn elsewhere(folder: &Path, point: &str, ago: u64) -> PathBuf {
    fs::create_dir_all(folder.join("claims")).unwrap();
    let path = folder.join("claims").join(format!("{point}.lease"));
    let owner = Owner { host: "elsewhere".to_owned(), process: 7, since: 1 };
    fs::write(&path, serde_json::to_vec(&owner).unwrap()).unwrap();
    let file = File::options().write(true).open(&path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(ago)).unwrap();
    path
}

#[test]
fn a_point_is_one_programs_until_it_is_given_back() {
    let place = tempfile::tempdir().unwrap();
    let (one, two) = (leases(place.path()), leases(place.path()));
    assert_eq!(one.take("a").unwrap(), Taken::Mine);
    let Taken::Held(by) = two.take("a").unwrap() else { panic!("it is taken") };
    assert_eq!(by, format!("process {} on {}", std::process::id(), host()));
    assert_eq!(two.take("b").unwrap(), Taken::Mine);
    let all = two.all().unwrap();
    let points: Vec<(&str, bool)> = all.iter().map(|it| (it.point.as_str(), it.gone)).collect();
    assert_eq!(points, [("a", false), ("b", false)]);
    one.give_back("a");
    assert_eq!(two.take("a").unwrap(), Taken::Mine);
    drop((one, two));
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "nothing is left");
}

#[test]
fn one_that_is_not_renewed_is_taken_over_and_one_that_is_is_not() {
    let place = tempfile::tempdir().unwrap();
    let seconds = TIMEOUT.as_secs();
    elsewhere(place.path(), "fresh", seconds - 60);
    elsewhere(place.path(), "stale", seconds + 60);
    let one = leases(place.path());
    assert!(held(&one.take("fresh").unwrap()));
    assert_eq!(one.take("stale").unwrap(), Taken::Mine);
    let gone: Vec<bool> = one.all().unwrap().iter().map(|it| it.gone).collect();
    assert_eq!(gone, [false, false]);

    // A short timeout: an owner renewing its lease keeps the point, on the same host too.
    let short = Duration::from_millis(1500);
    let owner = Leases::of(place.path().join("claims"), short);
    let other = Leases::of(place.path().join("claims"), short);
    assert_eq!(owner.take("mine").unwrap(), Taken::Mine);
    for _ in 0..6 {
        sleep(owner.period());
        owner.renew();
        assert!(held(&other.take("mine").unwrap()));
    }
    sleep(short * 2);
    assert_eq!(other.take("mine").unwrap(), Taken::Mine);
    // A program whose point was taken over does not release the new owner's lease.
    owner.give_back("mine");
    owner.renew();
    assert!(held(&leases(place.path()).take("mine").unwrap()));
}

#[test]
fn an_owner_of_this_host_that_is_gone_is_not_waited_for() {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("claims")).unwrap();
    // No process has the lock.
    let path = place.path().join("claims/left.lease");
    fs::write(&path, serde_json::to_vec(&Owner::here()).unwrap()).unwrap();
    // An empty lease may be locked a moment later.
    fs::write(place.path().join("claims/begun.lease"), "").unwrap();
    let one = leases(place.path());
    assert!(one.all().unwrap().iter().any(|it| it.point == "left" && it.gone));
    assert_eq!(one.take("left").unwrap(), Taken::Mine);
    assert!(held(&one.take("begun").unwrap()));
}

#[test]
fn a_lease_that_was_just_taken_over_by_another_is_put_back() {
    let place = tempfile::tempdir().unwrap();
    let path = elsewhere(place.path(), "a", TIMEOUT.as_secs() + 60);
    let seen = File::open(&path).unwrap();
    let other = leases(place.path());
    assert_eq!(other.take("a").unwrap(), Taken::Mine);
    clear(&path, &seen).unwrap();
    assert!(is_at(&path, &other.own.files()["a"]));
    assert_eq!(fs::read_dir(place.path().join("claims")).unwrap().count(), 1);
}

#[test]
fn what_killed_programs_left_is_cleared_up_and_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let stale = elsewhere(place.path(), "stale", TIMEOUT.as_secs() + 60);
    // Killed while removing a lease.
    fs::rename(&stale, stale.with_extension("elsewhere.7.gone")).unwrap();
    elsewhere(place.path(), "stale", TIMEOUT.as_secs() + 60);
    let fresh = elsewhere(place.path(), "fresh", 0);
    fs::copy(&fresh, fresh.with_extension("elsewhere.7.gone")).unwrap();
    let one = leases(place.path());
    assert_eq!(one.take("mine").unwrap(), Taken::Mine);
    one.clear_up();
    let entries = fs::read_dir(place.path().join("claims")).unwrap();
    let mut left: Vec<_> = entries.map(|it| it.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["fresh.elsewhere.7.gone", "fresh.lease", "mine.lease"]);
}

#[test]
fn of_many_that_ask_at_once_one_gets_a_point() {
    let place = tempfile::tempdir().unwrap();
    for round in 0..20 {
        let point = format!("p{round}");
        elsewhere(place.path(), &point, TIMEOUT.as_secs() + 60);
        let all: Vec<Leases> = (0..4).map(|_| leases(place.path())).collect();
        let mine = std::thread::scope(|scope| {
            let asked: Vec<_> =
                all.iter().map(|one| scope.spawn(|| one.take(&point).unwrap())).collect();
            asked.into_iter().map(|it| it.join().unwrap()).filter(|it| !held(it)).count()
        });
        // Between removing and restoring a name, a second program may get the point: both do the
        // same work.
        assert!((1..=2).contains(&mine), "{mine}");
    }
}
