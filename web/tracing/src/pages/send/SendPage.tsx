export function SendPage() {
  return <p>SendPage</p>
}
