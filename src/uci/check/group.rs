//! What the system says about a process group and about itself, read from `/proc`; nothing where there
//! is none.

use std::fs;

/// The processes of the group that have not ended.
pub(super) fn members(group: i32) -> Option<Vec<u32>> {
    let entries = fs::read_dir("/proc").ok()?;
    let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
    let numbers: Vec<u32> = entries.flatten().filter_map(number).collect();
    if numbers.is_empty() {
        return None;
    }
    let belongs = |process: &u32| {
        fs::read_to_string(format!("/proc/{process}/stat")).is_ok_and(|stat| is_alive_in(&stat, group))
    };
    Some(numbers.into_iter().filter(belongs).collect())
}

/// Whether a `stat` line is of a process of this group that has not ended. The name, in
/// parentheses, may hold anything, so reading starts after the last one.
fn is_alive_in(stat: &str, group: i32) -> bool {
    let after_name = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let mut fields = after_name.split_whitespace();
    let (state, _parent, own) = (fields.next(), fields.next(), fields.next());
    own.and_then(|own| own.parse().ok()) == Some(group) && !matches!(state, None | Some("Z" | "X"))
}

/// The resident memory of all members, in megabytes of 2^20 bytes.
pub(super) fn resident_mb(group: i32) -> Option<f64> {
    let resident = |process: &u32| {
        let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        line.split_whitespace().next()?.parse::<f64>().ok()
    };
    let members = members(group)?;
    let kilobytes: Vec<f64> = members.iter().filter_map(resident).collect();
    (!kilobytes.is_empty()).then(|| kilobytes.iter().sum::<f64>() / 1024.0)
}

/// The processor time of all threads that still run, in milliseconds.
pub(super) fn processor_ms(group: i32) -> Option<f64> {
    let of_thread = |path: std::path::PathBuf| {
        let nanoseconds = fs::read_to_string(path.join("schedstat")).ok()?;
        nanoseconds.split_whitespace().next()?.parse::<f64>().ok()
    };
    let mut times = Vec::new();
    for process in members(group)? {
        let Ok(threads) = fs::read_dir(format!("/proc/{process}/task")) else { continue };
        times.extend(threads.flatten().filter_map(|thread| of_thread(thread.path())));
    }
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / 1e6)
}

/// Processes that run or wait for a processor, the mean of the last minute.
pub(super) fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}

/// Processors that this process may use.
pub(super) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stat_line_is_read_after_the_name() {
        let stat = "812 (odd) 7 name (x) S 1 640 640 0 -1 4194560";
        assert!(is_alive_in(stat, 640));
        assert!(!is_alive_in(stat, 1));
        assert!(!is_alive_in("812 (x) Z 1 640 640 0", 640));
        assert!(!is_alive_in("812", 640) && !is_alive_in("", 0));
    }
}
