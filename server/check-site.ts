// Runs `npm run check-site` with the settings of `npm start`.
import { processConfig } from './config.ts'
import { runSiteChecks } from './site-check-command.ts'

const { code, output } = await runSiteChecks(processConfig, process.argv.slice(2))
process.stdout.write(output)
process.exitCode = code
