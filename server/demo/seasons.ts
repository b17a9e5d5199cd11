import type { WantList } from './wants.ts'

/** How many members wanted a crop, and how many offered it. Each digit is a week, the last one this week. In weeks with a 0 few wanted it. */
export interface DemoSeason {
  readonly crop: string
  readonly in: keyof WantList
  readonly wanted: string
  readonly offered: string
}

/** The crops of half a year. */
// biome-ignore format: a crop is one line.
export const seasons: readonly DemoSeason[] = [
  { crop: 'garlic', in: 'produce', wanted: '22233344455667788887776666', offered: '00000111223445544332211111' },
  { crop: 'fig', in: 'produce', wanted: '22222333445566777666554433', offered: '00000000011123344433221111' },
  { crop: 'sour-cherry', in: 'produce', wanted: '00222333445566655443333333', offered: '00000000012344432110000000' },
  { crop: 'basil', in: 'produce', wanted: '22233445566777766554433333', offered: '11122334456677665433222111' },
  { crop: 'pickling-cucumber', in: 'produce', wanted: '00002233445556666544332222', offered: '00000112233455665443211111' },
  { crop: 'rhubarb', in: 'produce', wanted: '44433322222222222222222222', offered: '33322211100000000001111111' },
]
