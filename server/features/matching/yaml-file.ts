import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { FAILSAFE_SCHEMA, load } from 'js-yaml'

/** A value in a YAML file of the lexicon. Every scalar is text, even `no` and `1`. */
export type Yaml = string | Yaml[] | YamlMap
export interface YamlMap {
  readonly [key: string]: Yaml | undefined
}

/** Reads a YAML file as a map; other content gives an empty one. Throws a syntax error that names the file and the line. */
export function readYaml(path: string): YamlMap {
  // The failsafe schema yields strings, arrays and maps only.
  return mapOf(
    load(readFileSync(path, 'utf8'), { schema: FAILSAFE_SCHEMA, filename: basename(path) }) as Yaml,
  )
}

/** Reads a YAML file as a map, which is empty if there is no such file. */
export function readYamlIfAny(path: string): YamlMap {
  return existsSync(path) ? readYaml(path) : {}
}

/** Returns a value as pairs of texts. */
export function pairsOf(value: Yaml | undefined): [string, string][] {
  return Array.isArray(value)
    ? value.map((pair): [string, string] => {
        const [first = '', second = ''] = listOf(pair)
        return [first, second]
      })
    : []
}

/** Returns a value as a list of texts. A text gives a list of one; undefined and the empty text give an empty list. */
export function listOf(value: Yaml | undefined): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value]
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}

/** Returns a value as a map. A text, a list and undefined give an empty one. */
export function mapOf(value: Yaml | undefined): YamlMap {
  return typeof value === 'object' && !Array.isArray(value) ? value : {}
}
