/** What runs on the machines that this version is brought to. Written anew at each release. */
export const lastRelease = {
  version: '0.1.0',
  commit: '50acb7fcd4c43953bdbbd13e91ba5c6e498f1065',
}
