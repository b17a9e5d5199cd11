import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino'

const secret = [
  'password',
  'new_password',
  'confirm_password',
  'token',
  'access_token',
  'email',
  'content',
  'authorization',
]

/** An error without the row it is about: PostgreSQL quotes values (an e-mail, say) in `detail`. */
function plainError(error: Error) {
  const { type, message, stack, code, constraint, table } = stdSerializers.err(error)
  return { type, message, stack, code, constraint, table }
}

const address = /[^\s"'<>(),:;\\]+@[^\s"'<>(),:;\\]+\.[^\s"'<>(),:;\\]+/g

/**
 * The log of a process, one JSON object a line. Fields that hold secrets or people's words are censored by name,
 * and anything that looks like an e-mail address is censored wherever it stands.
 */
export function createLog(
  level: string,
  destination: DestinationStream = pino.destination({ fd: 1, sync: false }),
): Logger {
  return pino(
    {
      level,
      base: null,
      redact: {
        paths: [...secret, ...secret.map((field) => `*.${field}`), ...secret.map((field) => `*.*.${field}`)],
        censor: '[censored]',
      },
      serializers: { err: plainError },
      hooks: { streamWrite: (line) => (line.includes('@') ? line.replace(address, '[e-mail]') : line) },
    },
    destination,
  )
}
