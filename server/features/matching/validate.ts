import { type Crop, cultivarTerm, type LexiconData } from './crops.ts'
import { singular } from './plurals.ts'
import { wordsOf } from './tokenize.ts'
import { keyOf } from './words.ts'
import { listOf, type YamlMap } from './yaml-file.ts'

/** The size of the lexicon. */
export interface Counts {
  readonly crops: number
  readonly names: number
  readonly cultivars: number
}

const categories = new Set(['produce', 'seeds', 'plants'])

/** Returns the errors in the lexicon's data, one sentence each. */
export function errorsIn({ crops, groups, things, traits }: LexiconData): string[] {
  const errors: string[] = []
  const cropKeys = new Set(crops.map(({ key }) => key))
  const groupKeys = new Set(groups.map(({ key }) => key))
  const files = new Set(crops.map(({ file }) => file))
  const usedGroups = new Set(crops.flatMap((crop) => crop.groups))
  const sharedKeys = new Map(crops.map((crop) => [crop.key, new Set(crop.shares.map(keyOf))]))
  const fileOfCrop = new Map<string, string>()

  for (const crop of crops) {
    const firstFile = fileOfCrop.get(crop.key)
    if (firstFile) errors.push(`${crop.key} is in ${firstFile} and in ${crop.file}`)
    fileOfCrop.set(crop.key, crop.file)
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(crop.key)) errors.push(`${crop.key} is no kebab-case key`)
    if (!categories.has(crop.category ?? '')) errors.push(`${crop.key} has no category`)
    for (const group of crop.groups)
      if (!groupKeys.has(group)) errors.push(`${crop.key} is in "${group}", which groups.yaml does not know`)
    for (const parent of crop.of)
      if (!cropKeys.has(parent)) errors.push(`${crop.key} is a kind of "${parent}", which is no crop`)
    if (isOfItself(crop.key, crops)) errors.push(`${crop.key} is a kind of itself`)
  }
  for (const group of groups) {
    const hasMembers = usedGroups.has(group.key) || group.holds.length > 0 || group.files.length > 0
    if (!hasMembers) errors.push(`no crop is in the group ${group.key}`)
    for (const held of group.holds)
      if (!groupKeys.has(held)) errors.push(`${group.key} holds "${held}", which is no group`)
    for (const file of group.files) if (!files.has(file)) errors.push(`${group.key} names no file: ${file}`)
  }
  for (const thing of things)
    for (const parent of thing.of)
      if (!things.some(({ key }) => key === parent))
        errors.push(`${thing.key} is a kind of no thing: ${parent}`)

  const terms = new Set([
    ...crops.flatMap(({ key, cultivars }) => [key, ...cultivars.map((name) => cultivarTerm(key, name))]),
    ...things.map(({ key }) => `thing:${key}`),
  ])
  for (const term of traits.keys())
    if (!terms.has(term)) errors.push(`traits.yaml has ${term}, which is no crop, cultivar or thing`)
  errors.push(...sharedNames(crops, sharedKeys), ...cultivarsLikeCrops(crops, sharedKeys))
  return errors
}

/** Returns an error for each word list that is not in alphabetical order. */
export function unsortedLists(lists: YamlMap): string[] {
  return Object.entries(lists).flatMap(([name, list]) => {
    const phrases = listOf(list)
    const misplaced = phrases.find((phrase, at) => phrase.localeCompare(phrases[at - 1] ?? '', 'en') < 0)
    return misplaced === undefined ? [] : [`${name}: "${misplaced}" is not in its alphabetical place`]
  })
}

export function countsOf({ crops }: Pick<LexiconData, 'crops'>): Counts {
  const names = new Set(crops.flatMap((crop) => namesOf(crop).map((name) => `${crop.key} ${keyOf(name)}`)))
  return { crops: crops.length, names: names.size, cultivars: crops.flatMap((crop) => crop.cultivars).length }
}

function namesOf(crop: Crop): string[] {
  return [crop.key.replaceAll('-', ' '), ...crop.names, ...Object.values(crop.foreign).flat(), ...crop.latin]
}

function sharedNames(crops: readonly Crop[], sharedKeys: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const owners = new Map<string, { name: string; crops: Set<string> }>()
  for (const crop of crops) {
    for (const name of namesOf(crop)) {
      const key = wordsOf(name).map(singular).join('')
      const owner = owners.get(key) ?? { name, crops: new Set() }
      owners.set(key, owner)
      owner.crops.add(crop.key)
    }
  }
  return [...owners].flatMap(([key, { name, crops: owning }]) => {
    const undeclared = owning.size > 1 ? [...owning].filter((crop) => !sharedKeys.get(crop)?.has(key)) : []
    return undeclared.length > 0
      ? [`"${name}" means ${[...owning].join(' and ')}: ${undeclared.join(', ')} must say so in shares`]
      : []
  })
}

function cultivarsLikeCrops(
  crops: readonly Crop[],
  sharedKeys: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const names = new Map(
    crops.flatMap((crop) =>
      [crop.key.replaceAll('-', ' '), ...crop.names].map((name) => [keyOf(name), crop.key] as const),
    ),
  )
  return crops.flatMap((crop) =>
    [...crop.cultivars, ...Object.values(crop.aliases).flat()].flatMap((cultivar) => {
      const same = names.get(keyOf(cultivar))
      if (!same || sharedKeys.get(crop.key)?.has(keyOf(cultivar))) return []
      return [
        `the cultivar ${cultivar} of ${crop.key} is also a name of ${same}: ${crop.key} must say so in shares`,
      ]
    }),
  )
}

/** Returns whether the kinds of a crop form a cycle. */
function isOfItself(key: string, crops: readonly Crop[]): boolean {
  const visited = new Set<string>()
  const leadsToKey = (child: string): boolean => {
    if (visited.has(child)) return child === key
    visited.add(child)
    const parents = crops.find((crop) => crop.key === child)?.of ?? []
    return parents.some((parent) => parent === key || leadsToKey(parent))
  }
  return leadsToKey(key)
}
