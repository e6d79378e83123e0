import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { signedInPages, signedOutPages } from '../../../e2e/app-page-list.ts'
import { createAppRouter } from './router.ts'

test('the list of all pages has each page that is declared', () => {
  const { routesById } = createAppRouter(new QueryClient())
  const declared = Object.values(routesById).flatMap(({ fullPath, options, children }) =>
    options.staticData?.page !== undefined && children === undefined ? [fullPath] : [],
  )
  const listed = [...signedInPages, ...signedOutPages].map(({ route }) => route)
  // With a project, the start page redirects to it.
  const missing = declared.filter((path) => path !== '/' && !listed.includes(path))
  expect({ isEmpty: declared.length === 0, missing }).toEqual({ isEmpty: false, missing: [] })
})
