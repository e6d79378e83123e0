import type { Role } from '@assay/contract/access.ts'
import { addKeyStatement, readEncryptionKeys } from '@assay/contract/encryption-keys.ts'
import type { ProjectSlugs } from '@assay/contract/fields.ts'
import { type DeviceKeyPairs, newDeviceKeys } from '../../web/chat/src/crypto/device-keys.ts'
import {
  type NewStatement,
  type SignedStatement,
  signNew,
} from '../../web/chat/src/crypto/key-statements.ts'
import type { Tenant } from './people.ts'
import type { Credentials, Service } from './started-app.ts'

/*
 * A member of an organization who uses the key directory over HTTP.
 */

export interface KeyUser {
  readonly credentials: Credentials
  /** The slugs, as in a query or a body. */
  readonly at: ProjectSlugs
  read(): ReturnType<typeof readKeys>
  send(signed: SignedStatement): ReturnType<typeof sendStatement>
  /** What the next statement continues, with a new challenge. */
  next(): Promise<Pick<NewStatement, 'owner' | 'after' | 'challenge' | 'label'>>
  /** Adds a valid statement and returns its device. */
  add(
    type: NewStatement['type'],
    devices?: Partial<Pick<NewStatement, 'device' | 'by'>>,
  ): Promise<DeviceKeyPairs>
}

export async function signInKeyUser(
  service: Service,
  tenant: Tenant,
  role: Role = 'Viewer',
): Promise<KeyUser> {
  const credentials = await service.signedIn(tenant.members[role])
  const organization = await service.accounts.organizations.find(tenant.organizationId)
  return keyUserOf(service, { org: organization?.slug ?? '', project: 'project' }, credentials)
}

/** Who is signed in already. */
export function keyUserOf(service: Service, at: KeyUser['at'], credentials: Credentials): KeyUser {
  const read = () => readKeys(service, at, credentials)
  const send = (signed: SignedStatement) => sendStatement(service, at, signed, credentials)
  const next: KeyUser['next'] = async () => {
    const { data } = await read()
    const { user_id: user, head, statements } = data.me
    const { challenge, org_id: org } = data
    return {
      owner: { org, user },
      after: { seq: statements.length, head },
      challenge,
      label: 'Laptop',
    }
  }
  return {
    ...{ credentials, at, read, send, next },
    async add(type, devices = {}) {
      const parts = await next()
      const device = devices.device ?? (await newDeviceKeys())
      const answer = await send(await signNew({ ...parts, type, device, ...devices }))
      if (answer.status !== 201) throw new Error(`${type} was refused: ${answer.error?.message}`)
      return device
    },
  }
}

function readKeys(service: Service, at: KeyUser['at'], as: Credentials) {
  return service.call(readEncryptionKeys, { query: at }, as)
}

function sendStatement(
  service: Service,
  at: KeyUser['at'],
  signed: SignedStatement,
  as: Credentials,
) {
  return service.call(addKeyStatement, { body: { ...at, ...signed } }, as)
}
