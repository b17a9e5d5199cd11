import { domainToASCII } from 'node:url'
import addressparser from 'nodemailer/lib/addressparser'
import {
  type CheckedSite,
  failure,
  isExample,
  type Outcome,
  ok,
  reasonOf,
  type SiteCheck,
  warning,
} from './check.ts'

/** Checks whose policy mail servers apply to the domain of the sender. */
export const spfCheck = {
  name: 'spf',
  check: (site) =>
    withDomain(site, async (domain) => {
      const policies = (await listTexts(site, domain)).filter((text) => /^v=spf1( |$)/i.test(text))
      const [policy = ''] = policies
      if (policies.length > 1)
        return failure(
          (t) => t('{domain} has several SPF records, so none counts.', { domain }),
          (t) => t('Merge them into one TXT record that begins with v=spf1.'),
        )
      if (policy === '')
        return failure(
          (t) => t('{domain} has no SPF record: many mail servers refuse or hide its mails.', { domain }),
          (t) => t('Add the TXT record that your mail provider names, like “v=spf1 include:… -all”.'),
        )
      if (/ \+?all\b/i.test(policy))
        return warning(
          (t) => t('The SPF record of {domain} lets every machine send in its name.', { domain }),
          (t) => t('End it with -all or ~all.'),
        )
      return ok((t) => t('The SPF record of {domain} is “{policy}”.', { domain, policy }))
    }),
} as const satisfies SiteCheck

export const dkimCheck = {
  name: 'dkim',
  check: (site) =>
    withDomain(site, async (domain) => {
      const selector = site.dkimSelector
      const name = [...(selector ? [selector] : []), '_domainkey', domain].join('.')
      // A name with keys below exists, although it has no record (RFC 8020).
      const { exists, texts } = await lookUp(site, name)
      const hasKey = selector ? texts.some((text) => /(^|;)\s*p=\s*[^;\s]/.test(text)) : exists
      if (!hasKey)
        return warning(
          (t) => t('There is no DKIM key at {name}.', { name }),
          (t) => t('Let your mail provider sign mails of your domain, and add the TXT record that it names.'),
        )
      return ok((t) =>
        selector
          ? t('There is a DKIM key at {name}.', { name })
          : t(
              'There are DKIM keys below {name}. A test mail that arrives says in its source whether it is signed.',
              {
                name,
              },
            ),
      )
    }),
} as const satisfies SiteCheck

export const dmarcCheck = {
  name: 'dmarc',
  check: (site) =>
    withDomain(site, async (domain) => {
      const policy = await findDmarc(site, domain)
      if (policy === undefined)
        return warning(
          (t) => t('{domain} has no DMARC record, which large mail providers ask for.', { domain }),
          (t) =>
            t('Add the TXT record “v=DMARC1; p=none” at _dmarc.{domain}, and a stricter one later.', {
              domain,
            }),
        )
      return ok((t) => t('The DMARC record of {domain} is “{policy}”.', { domain, policy }))
    }),
} as const satisfies SiteCheck

/** Returns the policy of a domain or of the nearest domain above it (RFC 7489, section 6.6.3). */
async function findDmarc(site: CheckedSite, domain: string): Promise<string | undefined> {
  const labels = domain.split('.')
  for (let from = 0; from <= Math.max(0, labels.length - 2); from += 1) {
    const texts = await listTexts(site, `_dmarc.${labels.slice(from).join('.')}`)
    const policy = texts.find((text) => /^v=DMARC1\s*(;|$)/i.test(text))
    if (policy !== undefined) return policy
  }
  return undefined
}

/** Runs a check on the sender's domain. There is none without a mail server. */
async function withDomain(
  { mail }: CheckedSite,
  check: (domain: string) => Promise<Outcome>,
): Promise<Outcome | undefined> {
  if (mail.smtpUrl === undefined) return undefined
  const domain = domainToASCII(addressparser(mail.from)[0]?.address?.split('@')[1] ?? '')
  if (isExample(`.${domain}`))
    return failure(
      (t) => t('MAIL_FROM is the address of the example.'),
      (t) => t('Set MAIL_FROM to an address of a domain that is yours.'),
    )
  try {
    return await check(domain)
  } catch (error) {
    const reason = reasonOf(error)
    return warning(
      (t) => t('The records of {domain} can not be looked up: {reason}.', { domain, reason }),
      (t) => t('Without internet that is expected. Otherwise look at the name server of this machine.'),
    )
  }
}

async function listTexts(site: CheckedSite, name: string): Promise<string[]> {
  return (await lookUp(site, name)).texts
}

/** Returns the TXT records of a name. One without TXT records may exist. Throws if no name server answers. */
async function lookUp({ resolver }: CheckedSite, name: string) {
  try {
    return { exists: true, texts: (await resolver.resolveTxt(name)).map((parts) => parts.join('')) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENODATA') return { exists: true, texts: [] }
    if (code === 'ENOTFOUND') return { exists: false, texts: [] }
    throw error
  }
}
