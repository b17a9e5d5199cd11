import { postalCodeId, unknownLocation } from './postal-codes.ts'
import { hasPostalCodes, postalCodeIdIn, readTowns, tableWith } from './tables.ts'

/** Where members live, as they have typed it. */
export interface Place {
  readonly city?: string | null | undefined
  readonly state?: string | null | undefined
  readonly zip_code?: string | null | undefined
}

/**
 * Returns the id of a place in a country: of its postal code in the US, and in other countries of the postal code if there is a table, or
 * else of the town. A town's own name comes before other names of towns. `unknownLocation` if it is unknown, or if several towns have its name and neither the region nor their size tells
 * which one it is.
 */
export function locationId(country: string, place: Place): number {
  if (country === 'US') return postalCodeId(place.zip_code)
  return codeId(country, place.zip_code ?? '') ?? townId(country, place) ?? unknownLocation
}

/** Returns the new location of a member who has changed a part of their place that tells it. */
export function movedTo(
  country: string,
  before: Place,
  changes: Place,
): { readonly postal_code_id: number } | undefined {
  const parts = country === 'US' ? (['zip_code'] as const) : (['city', 'state', 'zip_code'] as const)
  if (parts.every((part) => changes[part] === undefined)) return undefined
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { postal_code_id: locationId(country, { ...before, ...Object.fromEntries(given) }) }
}

/** Matches the part of a postal code that the tables have: Canada's forward sortation area, Australia's four digits. */
const codePatterns = { CA: /^\s*([a-z]\d[a-z])(?:[\s-]*\d[a-z]\d)?\s*$/i, AU: /^\s*(\d{4})\s*$/ } as const

function codeId(country: string, postcode: string): number | undefined {
  if (!hasPostalCodes(country)) return undefined
  const code = codePatterns[country].exec(postcode)?.[1]
  const id = code && postalCodeIdIn(country, code)
  return id && tableWith(id).indexOf.has(id) ? id : undefined
}

type Town = ReturnType<typeof readTowns>[number]

const namesByCountry = new Map<string, ReadonlyMap<string, readonly Town[]>>()

/** Returns the towns of a country by their names. Reads the file at the first use. */
function townsByName(country: string): ReadonlyMap<string, readonly Town[]> {
  const known = namesByCountry.get(country)
  if (known) return known
  const names = new Map<string, Town[]>()
  for (const town of readTowns(country))
    for (const name of new Set(town.names.map(folded))) names.set(name, [...(names.get(name) ?? []), town])
  namesByCountry.set(country, names)
  return names
}

/** Returns a name without case, accents and punctuation. */
function folded(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** A town is meant if it has so many times the inhabitants of the others with its name. */
const dominance = 10

function townId(country: string, { city, state }: Place): number | undefined {
  const name = folded(city ?? '')
  const named = name === '' ? [] : (townsByName(country).get(name) ?? [])
  const region = folded(state ?? '')
  const ofOwnName = named.filter(({ names: [own = '', ascii = ''] }) =>
    [own, ascii].map(folded).includes(name),
  )
  const candidates = ofOwnName.length > 0 ? ofOwnName : named
  const inRegion = candidates.filter((town) => town.region.some((part) => folded(part) === region))
  const [first, second] = (inRegion.length > 0 ? inRegion : candidates).toSorted(
    (one, other) => other.population - one.population,
  )
  const isMeant = !second || (first?.population ?? 0) >= dominance * second.population
  return isMeant ? first?.id : undefined
}
