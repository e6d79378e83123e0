import type { Role } from '@assay/contract/access.ts'
import { call } from '@assay/contract/client.ts'
import { inviteMember } from '@assay/contract/members.ts'
import { addPlatformAccess } from '@assay/contract/platform.ts'
import { signUp } from '@assay/contract/sign-in.ts'
import type { Rig } from './rig.ts'

export interface Person {
  readonly userId: string
  readonly cookie: string
}

/** New members of the first organization, each from an address of its own; the service must trust one proxy. */
export async function openPeople(
  rig: Rig,
  count: number,
  role: Role = 'Editor',
): Promise<readonly Person[]> {
  const { api } = rig.service()
  const people: Person[] = []
  const approved = { body: { pattern: '@example.org' } }
  await call(api, addPlatformAccess, approved, { headers: rig.owner.session })
  for (let n = 0; n < count; n++) {
    const email = `person-${n}@example.org`
    const headers = { ...rig.owner.session, 'x-forwarded-for': `203.0.113.${n}` }
    const args = {
      params: { orgId: rig.owner.organization.id },
      body: { email, role },
    } as const
    const { invite_token } = await call(api, inviteMember, args, { headers })
    const response = await fetch(api + signUp.path, {
      method: signUp.method,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${n}` },
      body: JSON.stringify({ email, password: `password of ${email}`, name: email, invite_token }),
    })
    if (response.status !== 201) throw new Error(`sign-up failed: ${await response.text()}`)
    const { data } = (await response.json()) as { data: { user: { id: string } } }
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    people.push({ userId: data.user.id, cookie })
  }
  return people
}
