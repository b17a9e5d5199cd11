/** No inline script or style, no third party, and Trusted Types. */
export const policy = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  workerSrc: ["'self'"],
  manifestSrc: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
  requireTrustedTypesFor: ["'script'"],
  // The policy of web/api/trusted.ts.
  trustedTypes: ['rhubarb'],
}

/** Returns the policy of a page: its own inline scripts have the nonce. */
export function pagePolicy(nonce: string): string {
  return Object.entries({ ...policy, scriptSrc: ["'self'", `'nonce-${nonce}'`] })
    .map(
      ([name, values]) =>
        `${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${values.join(' ')}`,
    )
    .join(';')
}
