/** Names the account of a form that sets a password. Without it password managers store the new password as another login. */
export function HiddenUsername({ value }: { value: string }) {
  return <input type="email" name="username" autoComplete="username" value={value} readOnly hidden />
}
