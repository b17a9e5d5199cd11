import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'
import pretty from 'pino-pretty'

const secretFields = [
  'password',
  'new_password',
  'confirm_password',
  'token',
  'access_token',
  'email',
  'content',
  'authorization',
]

/** Serializes an error without `detail`, in which PostgreSQL quotes values of the row, like an e-mail. */
function serializeError(error: Error) {
  const { type, message, stack, code, constraint, table } = stdSerializers.err(error)
  return { type, message, stack, code, constraint, table }
}

const address = /[^\s"'<>(),:;\\]+@[^\s"'<>(),:;\\]+\.[^\s"'<>(),:;\\]+/g

/** Writes to standard output: readable lines in a terminal, otherwise JSON. */
function standardOutput(): DestinationStream {
  return process.stdout.isTTY
    ? pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true })
    : pino.destination({ fd: 1, sync: false })
}

/**
 * Creates the log of a process with one JSON object per line. Fields with secrets or texts of members are censored by name, and e-mail
 * addresses are censored everywhere.
 */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: ['', '*.', '*.*.'].flatMap((prefix) => secretFields.map((field) => prefix + field)),
        censor: '[censored]',
      },
      serializers: { err: serializeError },
      hooks: { streamWrite: (line) => (line.includes('@') ? line.replace(address, '[e-mail]') : line) },
    },
    destination,
  )
}
