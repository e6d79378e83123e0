import { forgetLists } from '../parts/last-list.ts'
import { forgetDrafts } from './draft-store.ts'
import { forgetKeys } from './revealed-keys.ts'

/** Removes from the browser what the app has stored for the signed-in person. */
export function forgetPerson(): void {
  forgetKeys()
  forgetDrafts()
  forgetLists()
}
