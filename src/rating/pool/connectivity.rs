//! Who is tied to whom. Ratings that maximise the likelihood exist only inside a group in which
//! points flowed from everybody to everybody, directly or over others.
//!
//! # Source
//! Ford 1957; strongly connected components as in Kosaraju and Sharir.

use serde::Serialize;

use super::model::Anchor;
use crate::rating::meeting::Meeting;

/// Players whose games determine their differences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Places in the list, ascending.
    pub players: Vec<usize>,
    /// Whether it holds the scale: it has the anchors or, without any, the most players.
    pub rated: bool,
}

/// Two groups that met, where one side won every game: the difference has no upper limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Separation {
    /// Place of the group that won every game.
    pub ahead: usize,
    /// Place of the group that lost every game.
    pub behind: usize,
    /// Games between them.
    pub games: u64,
}

/// Points taken: `from` scored at least half a point against `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Edge {
    pub from: usize,
    pub to: usize,
}

/// The group of every player, groups numbered by their first player. Players in `tied` (anchors)
/// count as one, since their differences are known without games.
fn group_of(players: usize, edges: &[Edge], tied: &[usize]) -> Vec<usize> {
    let mut forward = vec![Vec::new(); players];
    let mut backward = vec![Vec::new(); players];
    let ring = tied.iter().zip(tied.iter().cycle().skip(1)).map(|(from, to)| Edge { from: *from, to: *to });
    for edge in edges.iter().copied().chain(ring) {
        forward[edge.from].push(edge.to);
        backward[edge.to].push(edge.from);
    }
    let mut seen = vec![false; players];
    let mut order = Vec::with_capacity(players);
    for start in 0..players {
        walk(start, &forward, &mut seen, &mut order);
    }
    let mut component = vec![usize::MAX; players];
    let mut seen = vec![false; players];
    let mut members = Vec::new();
    for (number, start) in order.into_iter().rev().enumerate() {
        members.clear();
        walk(start, &backward, &mut seen, &mut members);
        for member in &members {
            component[*member] = number;
        }
    }
    // Numbered anew by first player, so that nothing depends on the order of the search.
    let mut names = Vec::<usize>::new();
    component
        .into_iter()
        .map(|found| {
            names.iter().position(|name| *name == found).unwrap_or_else(|| {
                names.push(found);
                names.len() - 1
            })
        })
        .collect()
}

/// Depth first from `start` without recursion; finished nodes are appended.
fn walk(start: usize, neighbours: &[Vec<usize>], seen: &mut [bool], finished: &mut Vec<usize>) {
    if seen[start] {
        return;
    }
    seen[start] = true;
    let mut stack = vec![(start, 0)];
    while let Some((node, next)) = stack.last_mut() {
        match neighbours[*node].get(*next) {
            Some(&neighbour) => {
                *next += 1;
                if !seen[neighbour] {
                    seen[neighbour] = true;
                    stack.push((neighbour, 0));
                }
            }
            None => {
                finished.push(*node);
                stack.pop();
            }
        }
    }
}

/// The group of every player, the groups, and which of them won every game against which.
pub(super) fn grouped(anchors: &[Anchor], played: &[&Meeting]) -> (Vec<usize>, Vec<Group>, Vec<Separation>) {
    let mut edges = Vec::new();
    for meeting in played {
        let (tally, first, second) = (meeting.tally(), meeting.first, meeting.second);
        if tally.wins + tally.draws > 0 {
            edges.push(Edge { from: first, to: second });
        }
        if tally.losses + tally.draws > 0 {
            edges.push(Edge { from: second, to: first });
        }
    }
    let tied: Vec<usize> = (0..anchors.len()).filter(|player| anchors[*player] != Anchor::Unknown).collect();
    let group = group_of(anchors.len(), &edges, &tied);
    let mut groups: Vec<Group> = Vec::new();
    for (player, own) in group.iter().enumerate() {
        if *own == groups.len() {
            groups.push(Group { players: Vec::new(), rated: false });
        }
        groups[*own].players.push(player);
    }
    let holder = match tied.first() {
        Some(anchor) => Some(group[*anchor]),
        // The earliest of the largest.
        None => (0..groups.len()).rev().max_by_key(|place| groups[*place].players.len()),
    };
    if let Some(holder) = holder {
        groups[holder].rated = true;
    }
    let mut separations: Vec<Separation> = Vec::new();
    for meeting in played {
        let (first, second) = (group[meeting.first], group[meeting.second]);
        if first == second {
            continue;
        }
        let (ahead, behind) = if meeting.tally().wins > 0 { (first, second) } else { (second, first) };
        let games = meeting.tally().games();
        match separations.iter_mut().find(|known| (known.ahead, known.behind) == (ahead, behind)) {
            Some(known) => known.games += games,
            None => separations.push(Separation { ahead, behind, games }),
        }
    }
    separations.sort_by_key(|separation| (separation.ahead, separation.behind));
    (group, groups, separations)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(list: &[(usize, usize)]) -> Vec<Edge> {
        list.iter().map(|&(from, to)| Edge { from, to }).collect()
    }

    #[test]
    fn a_circle_is_one_group_and_a_chain_is_many() {
        assert_eq!(group_of(3, &edges(&[(0, 1), (1, 2), (2, 0)]), &[]), [0, 0, 0]);
        assert_eq!(group_of(3, &edges(&[(0, 1), (1, 2)]), &[]), [0, 1, 2]);
        assert_eq!(group_of(4, &edges(&[(3, 1), (1, 3), (0, 3)]), &[]), [0, 1, 2, 1]);
    }

    #[test]
    fn anchors_are_tied_without_games() {
        // 0 beat anchor 1 and lost to anchor 2.
        assert_eq!(group_of(3, &edges(&[(0, 1), (2, 0)]), &[1, 2]), [0, 0, 0]);
        assert_eq!(group_of(3, &edges(&[(0, 1), (2, 0)]), &[]), [0, 1, 2]);
    }
}
