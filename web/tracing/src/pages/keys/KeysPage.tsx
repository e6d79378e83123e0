export function KeysPage() {
  return <p>KeysPage</p>
}
