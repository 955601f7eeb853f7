use super::*;

/// A link, its clock, and every output so far.
struct World {
    link: Link,
    now: UnixMillis,
}

impl World {
    fn new() -> Self {
        Self { link: Link::new(), now: UnixMillis(1_000_000) }
    }

    fn give(&mut self, input: Input) -> Vec<Output> {
        self.link.step(self.now, 255, input)
    }

    fn pass(&mut self, ms: i64) {
        self.now = self.now.plus_ms(ms);
    }

    /// Lets time pass until the link wants to act; gives the time and what it does.
    fn rest(&mut self) -> (i64, Vec<Output>) {
        let at = self.link.wake_at().expect("the link waits for something");
        let ms = at.since(self.now);
        self.now = at;
        (ms, self.give(Input::Tick))
    }

    fn connected() -> Self {
        let mut world = Self::new();
        assert_eq!(world.give(Input::Want), [Output::Open]);
        assert_eq!(world.give(Input::Opened), [Output::Up]);
        world
    }
}

#[test]
fn waits_double_up_to_the_longest() {
    let mut world = World::new();
    world.give(Input::Want);
    let mut waits = Vec::new();
    for _ in 0..9 {
        assert_eq!(world.give(Input::Lost), [Output::Close]);
        let (ms, outputs) = world.rest();
        assert_eq!(outputs, [Output::Open]);
        waits.push(ms);
    }
    assert_eq!(waits, [300, 600, 1200, 2400, 4800, 9600, 19_200, 20_000, 20_000]);
}

#[test]
fn jitter_spreads_waits_over_their_second_half() {
    for (jitter, wait) in [(0, 150), (255, 300)] {
        let mut link = Link::new();
        link.step(UnixMillis(0), jitter, Input::Want);
        link.step(UnixMillis(0), jitter, Input::Lost);
        assert_eq!(link.wake_at(), Some(UnixMillis(wait)));
    }
}

#[test]
fn a_good_connection_forgives_earlier_failures_and_a_short_one_does_not() {
    for (lived, wait) in [(10_000, 300), (9_999, 1200)] {
        let mut world = World::new();
        world.give(Input::Want);
        for _ in 0..2 {
            world.give(Input::Lost);
            world.rest();
        }
        world.give(Input::Opened);
        world.pass(lived);
        assert_eq!(world.give(Input::Lost), [Output::Close, Output::Down]);
        assert_eq!(world.rest(), (wait, vec![Output::Open]));
    }
}

#[test]
fn silence_is_answered_by_a_ping_and_more_silence_ends_the_connection() {
    let mut world = World::connected();
    assert_eq!(world.rest(), (25_000, vec![Output::Ping]));
    assert_eq!(world.rest(), (10_000, vec![Output::Close, Output::Down]));
    assert_eq!(world.rest(), (300, vec![Output::Open]));
}

#[test]
fn any_frame_answers_a_ping() {
    let mut world = World::connected();
    world.rest();
    world.pass(9_000);
    world.give(Input::Heard);
    assert_eq!(world.rest(), (25_000, vec![Output::Ping]));
}

#[test]
fn waking_up_ends_a_wait_and_checks_a_quiet_connection() {
    let mut world = World::new();
    world.give(Input::Want);
    world.give(Input::Lost);
    assert_eq!(world.give(Input::Wake), [Output::Open]);
    assert_eq!(world.give(Input::Wake), []);
    world.give(Input::Opened);
    assert_eq!(world.give(Input::Wake), []);
    world.pass(2_000);
    assert_eq!(world.give(Input::Wake), [Output::Ping]);
    assert_eq!(world.give(Input::Wake), []);
}

#[test]
fn doubt_checks_at_once_and_does_not_wait_long() {
    let mut world = World::connected();
    assert_eq!(world.give(Input::Doubt), [Output::Ping]);
    assert_eq!(world.rest(), (2_000, vec![Output::Close, Output::Down]));
}

#[test]
fn an_answered_doubt_is_over() {
    let mut world = World::connected();
    world.give(Input::Doubt);
    world.pass(1_000);
    world.give(Input::Heard);
    assert_eq!(world.rest(), (25_000, vec![Output::Ping]));
    assert_eq!(world.rest(), (10_000, vec![Output::Close, Output::Down]));
}

#[test]
fn doubt_shortens_the_wait_for_a_ping_that_is_out_and_never_lengthens_it() {
    let mut world = World::connected();
    world.rest();
    assert_eq!(world.give(Input::Doubt), []);
    world.pass(1_500);
    assert_eq!(world.give(Input::Doubt), []);
    assert_eq!(world.rest(), (500, vec![Output::Close, Output::Down]));
}

#[test]
fn a_connection_that_never_opens_is_given_up() {
    let mut world = World::new();
    world.give(Input::Want);
    assert_eq!(world.rest(), (20_000, vec![Output::Close]));
    assert_eq!(world.rest(), (300, vec![Output::Open]));
}

#[test]
fn wanting_again_replaces_the_connection_but_never_hurries() {
    let mut world = World::connected();
    for wait in [300, 600, 1200] {
        assert_eq!(world.give(Input::Want), [Output::Close, Output::Down]);
        assert_eq!(world.give(Input::Want), []);
        assert_eq!(world.rest(), (wait, vec![Output::Open]));
        world.give(Input::Opened);
    }
}

#[test]
fn leaving_is_final_until_wanted() {
    let mut world = World::connected();
    assert_eq!(world.give(Input::Leave), [Output::Close, Output::Down]);
    assert_eq!(world.link.wake_at(), None);
    for input in [Input::Wake, Input::Doubt, Input::Lost, Input::Tick, Input::Leave] {
        assert_eq!(world.give(input), []);
    }
    assert_eq!(world.give(Input::Want), [Output::Open]);
    assert_eq!(world.give(Input::Leave), [Output::Close]);
}
