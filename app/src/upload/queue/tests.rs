use super::{totals::LINES, *};

const MB: u64 = 1_000_000;

fn target(subject: &str) -> Target {
    Target { subject: subject.parse().unwrap(), kind: Kind::Candidate }
}

fn files(count: u32) -> Vec<Found> {
    (0..count).map(|file| Found { file, path: format!("f/{file}.png"), bytes: Some(MB) }).collect()
}

fn queue(count: u32) -> Queue {
    let mut queue = Queue { at_once: 3, ..Queue::new(50 * MB, true) };
    queue.add(&target("mia"), files(count));
    queue
}

fn plain(count: u32) -> Queue {
    let mut queue = Queue { at_once: 3, ..Queue::new(50 * MB, false) };
    queue.add(&target("mia"), files(count));
    queue
}

fn answer(status: u16, words: Option<&[&str]>) -> Answer {
    let words = words.map(|words| words.iter().map(|&word| word.to_owned()).collect());
    Answer { status, retry_after: None, words }
}

fn told(status: &str) -> Answer {
    answer(201, Some(&[status, "x", "because"]))
}

fn missing(hashes: &[String]) -> Answer {
    Answer { status: 200, retry_after: None, words: Some(hashes.to_vec()) }
}

/// Runs it to its end on a line where everything works. `there`: files that the batch has. Returns the files that were
/// sent and how many questions were asked.
fn run(queue: &mut Queue, there: impl Fn(u32) -> bool) -> (Vec<u32>, usize) {
    let (mut sent, mut questions) = (Vec::new(), 0);
    let mut on_the_line = VecDeque::new();
    loop {
        match queue.next(0.0) {
            Some(Step::Hash { key, file }) => queue.was_hashed(key, Ok(format!("h{file}"))),
            Some(Step::Ask { keys, hashes, .. }) => {
                questions += 1;
                let new: Vec<String> = hashes.into_iter().filter(|hash| !there(hash[1..].parse().unwrap())).collect();
                queue.was_asked(&keys, &missing(&new), 0.0);
            }
            Some(Step::Send { key, what, .. }) => {
                sent.push(number(&what));
                on_the_line.push_back(key);
                assert!(on_the_line.len() <= queue.at_once, "never more than that at once");
            }
            Some(step) => panic!("{step:?}"),
            None => match on_the_line.pop_front() {
                Some(key) => assert!(queue.was_sent(key, &told("added"), 0.0)),
                None => return (sent, questions),
            },
        }
    }
}

/// Starts what can be started; returns the keys of what is sent now.
fn start(queue: &mut Queue, now: f64) -> Vec<Key> {
    let mut keys = Vec::new();
    while let Some(step) = queue.next(now) {
        match step {
            Step::Send { key, .. } => keys.push(key),
            Step::Look => panic!("it doubts the line"),
            _ => {}
        }
    }
    keys
}

fn number(what: &What) -> u32 {
    let What::File(file) = what else { panic!("{what:?}") };
    *file
}

fn row(queue: &Queue, key: Key) -> (Mark, String) {
    let row = queue.row(key).unwrap();
    (row.mark, row.note)
}

#[test]
fn three_hundred_are_asked_about_in_a_few_questions_and_only_what_is_missing_is_sent() {
    let mut queue = queue(300);
    let (sent, questions) = run(&mut queue, |file| file < 180);
    assert_eq!(sent, (180..300).collect::<Vec<_>>());
    assert!(questions <= 5, "{questions}");
    let totals = queue.totals(0.0);
    assert_eq!((totals.added, totals.here, totals.settled, totals.share), (120, 180, 300, 1000));
    assert_eq!(totals.phase, Phase::Done);
    assert_eq!(totals.sent.bytes, 120 * MB);
}

#[test]
fn without_hashes_all_are_sent_and_the_server_tells_the_duplicates() {
    let mut queue = plain(5);
    let (sent, questions) = run(&mut queue, |_| true);
    assert_eq!((sent.len(), questions), (5, 0));
}

#[test]
fn the_same_bytes_twice_go_over_the_line_once() {
    let mut queue = queue(2);
    let mut sent = 0;
    while let Some(step) = queue.next(0.0) {
        match step {
            Step::Hash { key, .. } => queue.was_hashed(key, Ok("same".to_owned())),
            Step::Ask { keys, hashes, .. } => queue.was_asked(&keys, &missing(&hashes), 0.0),
            Step::Send { .. } => sent += 1,
            step => panic!("{step:?}"),
        }
    }
    assert_eq!(sent, 1, "the twin waits");
    queue.was_sent(0, &told("added"), 0.0);
    assert_eq!(queue.next(0.0), None);
    assert_eq!(row(&queue, 1), (Mark::Here, "Already here".to_owned()));

    // Had the first one failed, the twin would have gone.
    let mut refused = Queue::new(MB, true);
    refused.entries = queue.entries.clone();
    refused.entries[0].state = State::Settled(End::Failed(String::new()));
    refused.targets = queue.targets.clone();
    refused.entries[1].state = State::Ready;
    refused.ready.push_back(1);
    assert!(matches!(refused.next(0.0), Some(Step::Send { key: 1, .. })));
}

#[test]
fn what_need_not_be_sent_is_told_at_once() {
    let mut queue = Queue::new(MB, false);
    let found = |path: &str, bytes| Found { file: 0, path: path.to_owned(), bytes: Some(bytes) };
    queue.add(
        &target("mia"),
        vec![
            found("a/.DS_Store", 9),
            found(".git/config", 9),
            found("empty.png", 0),
            found("big.png", MB + 1),
            found("ok.png", MB),
            Found { file: 0, path: "locked.png".to_owned(), bytes: None },
        ],
    );
    assert_eq!(start(&mut queue, 0.0), [4]);
    assert_eq!(row(&queue, 5), (Mark::Skipped, "It cannot be read.".to_owned()));
    assert_eq!(row(&queue, 1).0, Mark::Skipped);
    assert_eq!(row(&queue, 2), (Mark::Skipped, "It is empty.".to_owned()));
    let (mark, note) = row(&queue, 3);
    assert_eq!(mark, Mark::Refused);
    assert!(note.contains("1.0 MB"), "{note}");
    assert!(queue.totals(0.0).share < 250, "what is not sent is no progress");
}

#[test]
fn files_of_two_subjects_are_asked_about_and_sent_each_to_its_own() {
    let mut queue = queue(2);
    queue.add(&target("ida"), vec![Found { file: 9, path: "x.png".to_owned(), bytes: Some(1) }]);
    let mut asked = Vec::new();
    let mut sent = Vec::new();
    while let Some(step) = queue.next(0.0) {
        match step {
            Step::Hash { key, file } => queue.was_hashed(key, Ok(format!("h{file}"))),
            Step::Ask { keys, hashes, target } => {
                asked.push((target.subject.to_string(), keys.len()));
                queue.was_asked(&keys, &missing(&hashes), 0.0);
            }
            Step::Send { what, target, .. } => sent.push((target.subject.to_string(), number(&what))),
            step => panic!("{step:?}"),
        }
    }
    assert_eq!(asked, [("mia".to_owned(), 2), ("ida".to_owned(), 1)]);
    assert_eq!(sent, [("mia".to_owned(), 0), ("mia".to_owned(), 1), ("ida".to_owned(), 9)]);
}

#[test]
fn addresses_are_fetched_by_the_server_one_line_each() {
    let mut queue = Queue::new(MB, true);
    queue.add_addresses(&target("mia"), " https://a.example/1.png \n\n https://a.example/2.png");
    let Some(Step::Send { key: 0, what, .. }) = queue.next(0.0) else { panic!() };
    assert_eq!(what, What::Address("https://a.example/1.png".to_owned()));
    assert_eq!(row(&queue, 0).1, "Being fetched");
    assert!(queue.on_the_line().is_empty(), "the browser sends nothing");
}

#[test]
fn a_busy_server_is_given_the_time_that_it_asked_for() {
    let mut queue = plain(4);
    let keys = start(&mut queue, 0.0);
    assert_eq!(keys, [0, 1, 2]);
    queue.was_sent(1, &Answer { status: 503, retry_after: Some(7), words: None }, 1000.0);
    queue.was_sent(0, &told("added"), 1000.0);
    assert_eq!(queue.next(7999.0), None, "nobody is sent meanwhile");
    assert_eq!(queue.totals(1000.0).phase, Phase::Busy(7));
    assert_eq!(start(&mut queue, 8000.0), [1, 3], "the one that was turned away goes first");
    assert_eq!(queue.totals(8000.0).failed, 0);
}

#[test]
fn a_broken_line_loses_nothing_and_is_looked_at_with_growing_pauses() {
    let mut queue = plain(5);
    let keys = start(&mut queue, 0.0);
    for key in keys {
        queue.was_sent(key, &answer(0, None), 0.0);
    }
    let mut now = 0.0;
    let mut looks = Vec::new();
    for _ in 0..8 {
        while queue.next(now) != Some(Step::Look) {
            now += 250.0;
        }
        assert_eq!(queue.next(now), None, "one look at a time");
        looks.push(now);
        queue.was_looked(false, now);
        assert_eq!(queue.totals(now).phase, Phase::Offline);
    }
    let pauses: Vec<f64> = looks.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert_eq!(pauses, [1000.0, 2000.0, 4000.0, 8000.0, 15_000.0, 30_000.0, 30_000.0]);

    // The browser says that it has a line again: no need to wait.
    queue.line_changed(true, now);
    assert_eq!(queue.next(now), Some(Step::Look));
    queue.was_looked(true, now);
    assert_eq!(start(&mut queue, now).len(), 3, "no file was to blame");
    assert_eq!(queue.totals(now).failed, 0);
}

#[test]
fn a_file_under_which_the_line_breaks_again_and_again_is_given_up_and_the_rest_goes_on() {
    let mut queue = plain(2);
    let mut now = 0.0;
    let mut tries = 0;
    assert_eq!(start(&mut queue, now), [0, 1]);
    queue.was_sent(1, &told("added"), now);
    loop {
        tries += 1;
        queue.was_sent(0, &answer(0, None), now);
        assert_eq!(queue.next(now), Some(Step::Look));
        queue.was_looked(true, now);
        if row(&queue, 0).0 == Mark::Failed {
            break;
        }
        assert_eq!(row(&queue, 0).1, "Trying again soon");
        while start(&mut queue, now).is_empty() {
            now += 250.0;
        }
    }
    assert_eq!(tries, 3);
    assert_eq!(queue.totals(now).phase, Phase::Done);
    // A person may try again.
    queue.retry_failed();
    assert_eq!(start(&mut queue, now), [0]);
}

#[test]
fn going_offline_is_believed_and_what_was_on_the_line_goes_again() {
    let mut queue = plain(3);
    for key in start(&mut queue, 0.0) {
        queue.line_changed(false, 0.0);
        queue.was_sent(key, &answer(0, None), 0.0);
    }
    assert_eq!((queue.totals(0.0).phase, queue.next(0.0)), (Phase::Offline, None));
    queue.line_changed(true, 100.0);
    assert_eq!(queue.next(100.0), Some(Step::Look));
    queue.was_looked(true, 100.0);
    assert_eq!(start(&mut queue, 100.0).len(), 3, "at once");
}

#[test]
fn what_a_person_must_see_to_stops_everything_until_they_say_go_on() {
    let mut queue = plain(4);
    start(&mut queue, 0.0);
    queue.was_sent(0, &answer(401, None), 0.0);
    queue.was_sent(1, &told("added"), 0.0);
    assert_eq!(queue.next(0.0), None);
    assert_eq!(queue.totals(0.0).phase, Phase::Stopped(Stop::SignedOut));
    queue.resume();
    assert_eq!(start(&mut queue, 0.0), [0, 3]);
}

#[test]
fn a_pause_lets_arrive_what_is_on_the_line_and_starts_nothing() {
    let mut queue = plain(5);
    start(&mut queue, 0.0);
    queue.pause();
    queue.was_sent(0, &told("added"), 0.0);
    assert_eq!((queue.next(0.0), queue.totals(0.0).phase), (None, Phase::Paused));
    queue.resume();
    assert_eq!(start(&mut queue, 0.0), [3]);
}

#[test]
fn one_is_cancelled_or_all_and_what_arrived_stays() {
    let mut queue = plain(6);
    start(&mut queue, 0.0);
    queue.was_sent(0, &told("added"), 0.0);
    assert!(queue.turn(1), "it is on the line");
    queue.was_sent(1, &answer(0, None), 0.0);
    assert_eq!(queue.line, Line::Up, "cutting it off says nothing of the line");
    assert!(!queue.turn(5), "it has not begun");
    assert_eq!(start(&mut queue, 0.0), [3, 4]);
    assert_eq!(queue.cancel_all(), [2, 3, 4]);
    let totals = queue.totals(0.0);
    assert_eq!((totals.added, totals.cancelled, totals.phase), (1, 5, Phase::Done));
    for key in [2, 3, 4] {
        queue.was_sent(key, &answer(0, None), 0.0);
    }
    assert!(!queue.turn(5), "once more");
    assert_eq!(start(&mut queue, 0.0), [5]);
}

#[test]
fn a_question_without_an_answer_is_asked_again_and_one_that_is_not_understood_sends_all() {
    let mut queue = queue(1);
    queue.next(0.0);
    queue.was_hashed(0, Ok("h".to_owned()));
    let Some(Step::Ask { keys, .. }) = queue.next(0.0) else { panic!() };
    queue.was_asked(&keys, &answer(0, None), 0.0);
    assert_eq!(queue.next(0.0), Some(Step::Look));
    queue.was_looked(true, 0.0);
    let Some(Step::Ask { keys, .. }) = queue.next(0.0) else { panic!() };
    queue.was_asked(&keys, &answer(500, None), 0.0);
    assert_eq!(start(&mut queue, 0.0), [0]);
}

#[test]
fn a_file_that_cannot_be_read_fails_with_the_reason_and_the_next_goes_on() {
    let mut queue = queue(2);
    queue.next(0.0);
    queue.was_hashed(0, Err("It has changed on the disk.".to_owned()));
    assert_eq!(row(&queue, 0), (Mark::Failed, "It has changed on the disk.".to_owned()));
    assert!(matches!(queue.next(0.0), Some(Step::Hash { key: 1, .. })));
}

#[test]
fn what_wants_a_person_is_listed_first_and_a_long_list_is_cut() {
    let mut queue = plain(300);
    start(&mut queue, 0.0);
    queue.was_sent(0, &told("added"), 0.0);
    queue.was_sent(1, &told("refused"), 0.0);
    queue.was_sent(2, &answer(500, None), 0.0);
    start(&mut queue, 0.0);
    let order = queue.order();
    assert_eq!(order[..5], [2, 1, 3, 4, 5]);
    assert_eq!(order.len(), LINES);
    assert_eq!(row(&queue, 1), (Mark::Refused, "because".to_owned()));
}

#[test]
fn progress_follows_the_bytes_and_never_counts_them_twice() {
    let mut queue = plain(2);
    start(&mut queue, 0.0);
    let before = queue.totals(0.0);
    assert_eq!((before.share, before.phase), (0, Phase::Sending));
    queue.has_sent(0, MB / 2);
    queue.has_sent(1, 5 * MB);
    assert_eq!(queue.row(0).unwrap().share, Some(500));
    assert_eq!(queue.row(1).unwrap().share, Some(1000), "what goes over the line is a little more than the file");
    let half = queue.totals(0.0);
    assert_eq!(half.sent.bytes, MB + MB / 2);
    queue.was_sent(0, &told("added"), 0.0);
    queue.was_sent(1, &told("duplicate"), 0.0);
    let end = queue.totals(0.0);
    assert_eq!((end.sent.bytes, end.share, end.left), (2 * MB, 1000, 0));
}
