/** What makes two spellings one address: without outer spaces, in one Unicode form, in lower case. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}
