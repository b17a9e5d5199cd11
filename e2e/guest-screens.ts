import { field, namedButton, type Screen, submitInvalid, textIn } from './screens.ts'

/** Returns the screens of guests by the route's path. `invite` is the parameter of an invitation link. */
export const guestScreens = (invite: string): Readonly<Record<string, readonly Screen[]>> => ({
  '/': [
    {
      at: '/',
      shows: 'Good things get passed over the fence.',
      words: ['Login', 'Sign up', 'List', 'Connect', 'Share', 'Match'],
    },
  ],
  '/login': [
    {
      at: '/login?next=%2Fmessages',
      shows: 'Please log in to see your messages.',
      more: { 'with nothing filled in': submitInvalid('Login') },
    },
  ],
  '/register': [
    {
      at: '/register',
      shows: 'Confirm password',
      more: { 'with nothing filled in': submitInvalid('Register') },
    },
  ],
  '/forgot-password': [
    {
      at: '/forgot-password',
      shows: 'Remembered your password?',
      more: {
        'with nothing filled in': submitInvalid('Reset Password'),
        'with the mail on its way': async (page) => {
          await field(page, 'Email').fill('nobody@example.com')
          await namedButton(page, 'Reset Password').click()
          await page
            .getByRole('main')
            .getByText(
              textIn(page, 'If an account exists with this email, you will receive a password reset link'),
            )
            .waitFor()
        },
      },
    },
  ],
  '/reset-password': [
    {
      at: '/reset-password?token=some',
      shows: 'Confirm new password',
      more: { 'with nothing filled in': submitInvalid('Reset Password') },
    },
    { at: '/reset-password', shows: 'Invalid or missing reset token', isVariant: true },
  ],
  '/confirm-email': [
    { at: '/confirm-email?token=some', shows: 'Please confirm that the address of your mail is yours.' },
    { at: '/confirm-email', shows: 'A link serves once, and for 7 days.', isVariant: true },
  ],
  '/not-my-account': [
    { at: '/not-my-account?token=some', shows: 'Take it from that account.' },
    { at: '/not-my-account', shows: 'This link is unknown.', isVariant: true },
  ],
  '/goodbye': [{ at: '/goodbye', shows: 'Your profile is deleted' }],
  '/stop-invitations': [
    { at: '/stop-invitations?token=some', shows: 'We then never send an invitation' },
    { at: '/stop-invitations', shows: 'This link', isVariant: true },
  ],
  '/stop-mails': [
    { at: '/stop-mails?token=some', shows: 'We then send you no more mails of this kind.' },
    { at: '/stop-mails', shows: 'This link', isVariant: true },
  ],
  '/still-there': [{ at: '/still-there', shows: 'This link is not valid any more' }],
  '/invited': [
    { at: `/invited?invite=${invite}`, shows: 'would like to be your friend' },
    { at: '/invited?invite=some', shows: 'This invitation is unknown.', isVariant: true },
  ],
  '/terms': [{ at: '/terms', shows: 'Who may join' }],
  '/privacy': [{ at: '/privacy', shows: 'What we keep', isVariant: true }],
  '/safety': [{ at: '/safety', shows: 'When you meet', isVariant: true }],
  '/not-found': [{ at: '/not-found', shows: 'Page Not Found' }],
  '/$': [{ at: '/no-such-page', shows: 'Page Not Found', isVariant: true }],
})
