// `npm run setup`: installs the packages and builds the web client with Node 24, whatever Node the host has.
import { buildWeb, install, ScriptError } from './setup.mjs'

try {
  await install()
  await buildWeb()
} catch (error) {
  if (!(error instanceof ScriptError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
