import { expect, test } from 'vitest'
import { z } from 'zod'
import { allEndpoints } from './all.ts'
import { endpointName } from './endpoint.ts'

const changes = allEndpoints.filter(({ method }) => method === 'PATCH')

test.each(changes.map((declared) => [endpointName(declared), declared] as const))(
  '%s refuses a body that changes nothing',
  (_name, { body }) => {
    if (body === undefined || !('schema' in body)) throw new Error('has no JSON body')
    for (const given of [{}, { no_such_field: 1 }])
      expect(z.safeParse(body.schema, given).success).toBe(false)
  },
)
