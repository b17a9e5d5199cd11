export function ProfileScreen() {
  return null
}
export function ProfileLoading() {
  return null
}
export function ProfileNotLoaded() {
  return null
}
