import { inviteMember } from '@assay/contract/members.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import { signUp } from '@assay/contract/sign-in.ts'
import { callAs, person, type RunningService, type SetUpService } from './running-service.ts'

interface Invited {
  readonly email: string
  readonly role: 'Admin' | 'Editor' | 'Viewer'
}

/** Creates the account of another member of the first organization. Returns their session cookie. */
export async function signUpMember(
  service: RunningService,
  setUp: SetUpService,
  { email, role }: Invited,
): Promise<string> {
  const asOwner = callAs(service, setUp)
  await asOwner(addPlatformAccess, { body: { pattern: email } })
  const params = { orgId: setUp.organization.id }
  const { invite_token } = await asOwner(inviteMember, { params, body: { email, role } })
  const response = await fetch(service.api + signUp.path, {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
    body: JSON.stringify({ email, invite_token, name: 'Ben', password: person.password }),
  })
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0]
  if (cookie === undefined) throw new Error(`sign-up failed: ${await response.text()}`)
  return cookie
}
