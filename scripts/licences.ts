// `npm run licences`: what Rhubarb is made of, by licence. Fails at a licence that nobody has agreed to.
import { isAgreeable, lockedPackages } from './supply.ts'

const packages = lockedPackages()
for (const [licence, group] of [...Map.groupBy(packages, ({ licence }) => licence)].sort()) {
  process.stdout.write(`${licence} (${group.length})\n`)
  for (const line of group.map(({ name, version }) => `  ${name} ${version}`).sort())
    process.stdout.write(`${line}\n`)
}
const refused = packages.filter(({ licence }) => !isAgreeable(licence))
for (const { name, version, licence } of refused)
  process.stderr.write(`${name} ${version} has a licence nobody has agreed to: ${licence}\n`)
process.exitCode = refused.length > 0 ? 1 : 0
