import { html } from '#server/platform/html.ts'
import type { Mail } from '#server/platform/mail.ts'
import { mailPage } from '#server/platform/mail-page.ts'

/** The first mail: what to do now that one is a member. Links start with the configured public URL. */
export function welcome(
  member: { email: string; first_name: string; username: string },
  { publicUrl, supportEmail }: { publicUrl: string; supportEmail: string },
): Mail {
  const link = `${publicUrl}/my-listings`
  return {
    to: member.email,
    subject: 'Welcome to Rhubarb',
    html: mailPage({
      publicUrl,
      supportEmail,
      title: 'welcome to the fence',
      body: html`<p>Hello ${member.first_name},</p>
        <p>You are a member now, as <strong>${member.username}</strong>. List the produce, seeds and plants you have,
        to sell, exchange or give away, and see what grows around you.</p>`,
      action: { label: 'Open my lists', url: link },
    }),
    text: [
      `Hello ${member.first_name},`,
      '',
      `You are a member now, as ${member.username}. List the produce, seeds and plants you have, to sell, exchange or give away, and see what grows around you.`,
      '',
      `Open my lists: ${link}`,
      '',
      `Questions? Write to ${supportEmail}.`,
    ].join('\n'),
  }
}
