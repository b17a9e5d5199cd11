// `npm run test:upgrade`: all API tests of the last release, with its own code, on the schema of this version.
import { migrationsSince, runReleaseTests, version, whyNot } from './release.ts'

const reason = await whyNot()
if (reason !== undefined) {
  process.stdout.write(`Nothing was tried. ${reason}.\n`)
  process.exit(1)
}
const { changed, added } = await migrationsSince()
const { passed, said } = await runReleaseTests(process.argv.slice(2))
process.stdout.write(`${said}\n`)
for (const file of changed) process.stdout.write(`${file} is of release ${version} and was edited.\n`)
process.stdout.write(
  `Release ${version} on the schema with ${added.length > 0 ? added.join(', ') : 'nothing added'}: ${passed ? 'passed' : 'FAILED'}.\n`,
)
process.exit(passed && changed.length === 0 ? 0 : 1)
