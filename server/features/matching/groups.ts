import type { Crop, Group } from './crops.ts'

/** Returns the terms of the groups of these crops and of their data files. */
export function groupsOf(crops: readonly Crop[], groups: readonly Group[]): Set<string> {
  const files = new Set(crops.map(({ file }) => file))
  const ownGroups = crops.flatMap((crop) => crop.groups)
  const fileGroups = groups.filter((group) => group.files.some((file) => files.has(file)))
  return enclosingGroups([...ownGroups, ...fileGroups.map(({ key }) => key)], groups)
}

/** Returns the terms of these groups and of those that contain them. */
export function enclosingGroups(keys: readonly string[], groups: readonly Group[]): Set<string> {
  const terms = new Set<string>()
  const visit = (key: string) => {
    if (terms.has(`group:${key}`)) return
    terms.add(`group:${key}`)
    for (const group of groups) if (group.holds.includes(key)) visit(group.key)
  }
  for (const key of keys) visit(key)
  return terms
}
