// `npm run lexicon`: what is in the lexicon, and what is wrong with it.
import { join } from 'node:path'
import { readGarden } from './crops.ts'
import { countsOf, faultsOf } from './validate.ts'

const garden = readGarden(join(import.meta.dirname, 'lexicon'))
const { crops, names, cultivars } = countsOf(garden)
const faults = faultsOf(garden)

console.log(`${crops} crops, ${names} names, ${cultivars} cultivars`)
for (const fault of faults) console.log(fault)
if (faults.length > 0) {
  console.log(`${faults.length} faults`)
  process.exitCode = 1
}
