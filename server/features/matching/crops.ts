import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { withInherited } from './concept.ts'
import { readLanguages } from './languages.ts'
import { wordsOf } from './tokenize.ts'
import { noTraits, type Trait, traitOf } from './trait.ts'
import { listOf, mapOf, readYaml, readYamlIfAny, type YamlMap } from './yaml-file.ts'

/** Names by the code of their language. */
export type Foreign = Readonly<Record<string, readonly string[]>>

/** An entry of a data file, as its `README.md` says. */
export interface Crop {
  readonly key: string
  /** The name of its data file without the extension. */
  readonly file: string
  readonly category: string | undefined
  readonly latin: readonly string[]
  readonly names: readonly string[]
  /** The names in its own file by language. */
  readonly foreign: Foreign
  /** The names in the language folders. */
  readonly spoken: Foreign
  readonly cultivars: readonly string[]
  /** Other names of cultivars: "Cox" for "Cox's Orange Pippin". */
  readonly aliases: Readonly<Record<string, readonly string[]>>
  readonly groups: readonly string[]
  readonly shares: readonly string[]
  readonly of: readonly string[]
}

export interface Group {
  readonly key: string
  /** The name of one member of the group: "leafy green". */
  readonly one: string
  readonly names: readonly string[]
  /** The names in the language folders. The first completes "kale is a …". */
  readonly foreign: Foreign
  /** Groups inside this one. */
  readonly holds: readonly string[]
  /** Data files of which every crop is a member. */
  readonly files: readonly string[]
}

export interface Thing {
  readonly key: string
  readonly names: readonly string[]
  readonly foreign: Foreign
  readonly of: readonly string[]
}

export interface LexiconData {
  readonly crops: readonly Crop[]
  readonly groups: readonly Group[]
  readonly things: readonly Thing[]
  /** The traits of crops and cultivars by their terms. */
  readonly traits: ReadonlyMap<string, readonly Trait[]>
}

const notCrops = new Set(['groups.yaml', 'things.yaml', 'traits.yaml'])

/** Reads every data file of the folder and the names in its language folders. Throws an error that names the file for one that can't be read. */
export function readLexiconData(folder: string): LexiconData {
  const [ofCrops, ofGroups, ofThings] = ['crops.yaml', 'groups.yaml', 'things.yaml'].map((file) =>
    readForeign(folder, file),
  )
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && !notCrops.has(file))
  return {
    crops: files
      .sort()
      .flatMap((file) =>
        entries(folder, file).map(([key, entry]) =>
          cropOf(key, basename(file, '.yaml'), entry, ofCrops?.get(key)),
        ),
      ),
    groups: entries(folder, 'groups.yaml').map(([key, entry]) => ({
      key,
      one: listOf(entry.one)[0] ?? key,
      names: listOf(entry.names),
      foreign: ofGroups?.get(key) ?? {},
      holds: listOf(entry.holds),
      files: listOf(entry.files),
    })),
    things: entries(folder, 'things.yaml').map(([key, entry]) => ({
      key,
      names: listOf(entry.names),
      foreign: ofThings?.get(key) ?? {},
      of: listOf(entry.of),
    })),
    traits: readTraits(folder),
  }
}

function readTraits(folder: string): Map<string, Trait[]> {
  const byTerm = new Map<string, Trait[]>()
  for (const [trait, terms] of Object.entries(readYamlIfAny(join(folder, 'traits.yaml'))))
    for (const term of listOf(terms)) byTerm.set(term, [...(byTerm.get(term) ?? []), traitOf(trait)])
  return byTerm
}

function cropOf(key: string, file: string, entry: YamlMap, spoken: Foreign = {}): Crop {
  const cultivars = listOf(entry.cultivars).map((names) => names.split(/\s+=\s+/))
  return {
    key,
    file,
    category: listOf(entry.category)[0],
    latin: listOf(entry.latin),
    names: listOf(entry.names),
    foreign: Object.fromEntries(
      Object.entries(mapOf(entry.foreign)).map(([language, names]) => [language, listOf(names)]),
    ),
    spoken,
    cultivars: cultivars.flatMap(([name]) => name ?? []),
    aliases: Object.fromEntries(
      cultivars.flatMap(([name, ...others]) => (name && others.length > 0 ? [[name, others]] : [])),
    ),
    groups: listOf(entry.groups),
    shares: listOf(entry.shares),
    of: listOf(entry.of),
  }
}

/** Returns the names in a file of each language folder by the keys of what they name. */
function readForeign(folder: string, file: string): Map<string, Record<string, string[]>> {
  const byKey = new Map<string, Record<string, string[]>>()
  for (const { code, folder: language } of readLanguages(folder)) {
    for (const [key, names] of Object.entries(readYamlIfAny(join(language, file))))
      byKey.set(key, { ...byKey.get(key), [code]: listOf(names) })
  }
  return byKey
}

function entries(folder: string, file: string): [string, YamlMap][] {
  return Object.entries(readYaml(join(folder, file))).map(([key, entry]) => [key, mapOf(entry)])
}

/** Returns the term of a cultivar of a crop. */
export function cultivarTerm(crop: string, cultivar: string): string {
  return `${crop}/${wordsOf(cultivar).join('-')}`
}

/** Returns the traits of these terms. Of a property, the first says more than the others. */
export function traitsOf({ traits }: LexiconData, terms: Iterable<string>): readonly Trait[] {
  let found: readonly Trait[] = noTraits
  for (const term of terms) found = withInherited(found, traits.get(term) ?? noTraits)
  return found
}
