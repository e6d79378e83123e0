import { ApiError } from '@assay/contract/client.ts'
import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RequestProblem } from './RequestProblem.tsx'

test.each([
  ['Run not found.', 'Run not found'],
  ['The model configuration does not exist, or was deleted.', 'Not found'],
])('what does not exist has its reason once: %s', (message, title) => {
  const html = renderToStaticMarkup(
    <MantineProvider>
      <RequestProblem error={new ApiError(404, 'NOT_FOUND', message)} />
    </MantineProvider>,
  )
  expect(html).toContain(`>${title}</h2>`)
  expect(html.match(/deleted/g)).toHaveLength(1)
})
