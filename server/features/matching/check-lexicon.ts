// `npm run lexicon`: prints the size of the lexicon and its errors.
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
