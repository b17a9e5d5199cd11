// `npm run lexicon`: prints the size of the lexicon and its errors.
import { join } from 'node:path'
import { readLexiconData } from './crops.ts'
import { readLanguages } from './languages.ts'
import { countsOf, errorsIn, unsortedLists } from './validate.ts'
import { readLists } from './words.ts'

const folder = join(import.meta.dirname, 'lexicon')
const data = readLexiconData(folder)
const { crops, names, cultivars } = countsOf(data)
const errors = [
  ...errorsIn(data),
  ...readLanguages(folder).flatMap((language) => unsortedLists(readLists(language))),
]

console.log(`${crops} crops, ${names} names, ${cultivars} cultivars`)
for (const error of errors) console.log(error)
if (errors.length > 0) {
  console.log(`${errors.length} errors`)
  process.exitCode = 1
}
