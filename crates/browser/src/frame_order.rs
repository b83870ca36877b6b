//! In which order frames are read: the main one first, each other where it stands
//! in the one around it. Says nothing of where that is on the screen.

use std::collections::HashMap;

/// What a frame says of its place and of the frames in it.
pub(crate) trait Placed {
    /// From the main frame down, the index of each in `window.frames` of its
    /// parent; none where that isn't known.
    fn path(&self) -> Option<&[u32]>;
    /// Those indexes of the frames in it, in the order in which they stand.
    fn inner(&self) -> &[u32];
}

/// Frames whose place can't be known come last, in the order they are in.
pub(crate) fn reading_order<F: Placed>(frames: Vec<F>) -> Vec<F> {
    let mut at: HashMap<Vec<u32>, usize> = HashMap::new();
    for (index, frame) in frames.iter().enumerate() {
        if let Some(path) = frame.path() {
            at.entry(path.to_vec()).or_insert(index);
        }
    }
    let mut order = Vec::with_capacity(frames.len());
    let mut waiting = vec![Vec::new()];
    while let Some(path) = waiting.pop() {
        // Each is taken once, whatever the frames say of each other.
        let Some(index) = at.remove(&path) else { continue };
        order.push(index);
        for inner in frames[index].inner().iter().rev() {
            waiting.push(path.iter().copied().chain([*inner]).collect());
        }
    }
    let mut frames: Vec<Option<F>> = frames.into_iter().map(Some).collect();
    let mut ordered: Vec<F> = order.into_iter().filter_map(|index| frames[index].take()).collect();
    ordered.extend(frames.into_iter().flatten());
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Told(&'static str, Option<Vec<u32>>, Vec<u32>);

    impl Placed for Told {
        fn path(&self) -> Option<&[u32]> {
            self.1.as_deref()
        }

        fn inner(&self) -> &[u32] {
            &self.2
        }
    }

    #[test]
    fn frames_are_read_where_they_stand_and_lost_ones_last() {
        let frames = vec![
            Told("lost", None, vec![]),
            Told("second", Some(vec![0]), vec![]),
            Told("in the first", Some(vec![1, 0]), vec![]),
            Told("unlisted", Some(vec![7]), vec![]),
            Told("first", Some(vec![1]), vec![0]),
            Told("main", Some(vec![]), vec![1, 0, 1]),
        ];
        let names: Vec<&str> = reading_order(frames).into_iter().map(|frame| frame.0).collect();
        assert_eq!(names, ["main", "first", "in the first", "second", "lost", "unlisted"]);
    }
}
