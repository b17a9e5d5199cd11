import { runAdminCommand } from './admin-commands.ts'
import { processConfig } from './config.ts'

const { code, output } = await runAdminCommand(processConfig, process.argv.slice(2))
const stream = code === 0 ? process.stdout : process.stderr
stream.write(output)
process.exitCode = code
