//! Memory that this process can still use: what the machine has free, or less where a container or a batch system
//! limits the process (control groups of Linux, both versions).

use std::fs::read_to_string;
use std::path::Path;

/// Bytes available without swapping, where the system reports them.
pub fn free_memory() -> Option<u64> {
    let free = on_machine("MemAvailable:")?;
    let groups = read_to_string("/proc/self/cgroup").unwrap_or_default();
    Some(within_groups(&groups, Path::new("/sys/fs/cgroup")).map_or(free, |left| left.min(free)))
}

/// A figure of the whole machine, in bytes.
pub(crate) fn on_machine(name: &str) -> Option<u64> {
    Some(number_after(&read_to_string("/proc/meminfo").ok()?, name)? * 1024)
}

/// The number in the line of a text that begins with a name.
fn number_after(text: &str, name: &str) -> Option<u64> {
    let mut words = text.lines().map(str::split_whitespace);
    let mut line = words.find(|words| words.clone().next() == Some(name))?;
    line.nth(1)?.parse().ok()
}

/// Names of the files of a control group that limit memory.
struct Files {
    /// Each may be missing. Above a limit a process is killed, or made to swap ("high").
    limits: &'static [&'static str],
    used: &'static str,
    /// Lines of `memory.stat`: the parts of `used` that the system can drop, contents of files. The figure of the whole
    /// machine counts them as available too.
    reclaimable: [&'static str; 2],
}

const VERSION_1: Files = Files {
    limits: &["memory.limit_in_bytes"],
    used: "memory.usage_in_bytes",
    reclaimable: ["total_inactive_file", "total_active_file"],
};
const VERSION_2: Files = Files {
    limits: &["memory.max", "memory.high"],
    used: "memory.current",
    reclaimable: ["inactive_file", "active_file"],
};

/// The least that the limits of the groups of this process leave, in bytes; `None` without a limit. `groups` is the
/// text of `/proc/self/cgroup`, `root` the directory where control groups are mounted.
fn within_groups(groups: &str, root: &Path) -> Option<u64> {
    let of_line = |line: &str| {
        // A number, the resources, the path. Version 2 names no resources.
        let mut fields = line.splitn(3, ':').skip(1);
        let (resources, path) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        match resources {
            "" => least_left(root, path, &VERSION_2),
            list if list.split(',').any(|one| one == "memory") => {
                least_left(&root.join("memory"), path, &VERSION_1)
            }
            _ => None,
        }
    };
    groups.lines().filter_map(of_line).min()
}

/// A limit holds for all groups below. In a container the path may be that of the host; then the group of the
/// container is the root.
fn least_left(root: &Path, path: &str, files: &Files) -> Option<u64> {
    Path::new(path).ancestors().filter_map(|group| left(&root.join(group), files)).min()
}

/// What a group may still use; `None` if it is not there or has no limit ("max" in version 2).
fn left(group: &Path, files: &Files) -> Option<u64> {
    let read = |name: &str| read_to_string(group.join(name)).ok();
    let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
    let limit = files.limits.iter().filter_map(|name| number(name)).min()?;
    let used = number(files.used)?;
    let stat = read("memory.stat").unwrap_or_default();
    let reclaimable: u64 = files.reclaimable.iter().filter_map(|name| number_after(&stat, name)).sum();
    Some(limit.saturating_sub(used.saturating_sub(reclaimable)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Writes the files of a group.
    fn group(directory: &Path, files: &Files, limit: &str, used: &str) {
        fs::create_dir_all(directory).unwrap();
        fs::write(directory.join(files.limits[0]), limit).unwrap();
        fs::write(directory.join(files.used), used).unwrap();
    }

    #[test]
    fn the_narrowest_limit_counts() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        group(&root.join("a"), &VERSION_2, "5000\n", "1000\n");
        group(&root.join("a/b"), &VERSION_2, "max\n", "700\n");
        assert_eq!(within_groups("0::/a/b\n", root), Some(4000), "of the group above");
        group(&root.join("a/b"), &VERSION_2, "900\n", "700\n");
        assert_eq!(within_groups("0::/a/b\n", root), Some(200));
        fs::write(root.join("a/b/memory.stat"), "anon 600\ninactive_file 50\nactive_file 40\n").unwrap();
        assert_eq!(within_groups("0::/a/b\n", root), Some(290), "contents of files are dropped");
        fs::write(root.join("a/b/memory.high"), "800\n").unwrap();
        assert_eq!(within_groups("0::/a/b\n", root), Some(190), "above it the group swaps");
        assert_eq!(within_groups("0::/elsewhere\n", root), None);
        assert_eq!(within_groups("0::/../..\nnonsense\n", root), None);
    }

    #[test]
    fn the_first_version_names_its_resources() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        group(&root.join("memory"), &VERSION_1, "3000\n", "3500\n");
        let groups = "9:name=systemd:/x\n4:hugetlb,memory:/docker/of/the/host\n3:cpuset:/x\n0::/\n";
        assert_eq!(within_groups(groups, root), Some(0), "in a container the root is its group");
        assert_eq!(within_groups("4:cpu:/\n", root), None);
        group(&root.join("memory"), &VERSION_1, "9223372036854771712\n", "3500\n");
        assert!(within_groups(groups, root) > Some(1 << 62), "the number that stands for no limit");
    }

    #[test]
    fn no_more_is_free_than_the_machine_has() {
        let Some(all) = on_machine("MemTotal:") else { return };
        assert!(free_memory().is_some_and(|free| free < all));
    }
}
