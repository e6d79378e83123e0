import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { useSingleFlight } from './use-single-flight.ts'

interface Run {
  readonly variables: string
  readonly callbacks: { onSuccess?: (data: null) => void; onSettled?: () => void }
}

type Mutate = ReturnType<typeof useSingleFlight<string, null>>

interface Props {
  readonly runs: Run[]
  readonly onRender: (mutate: Mutate) => void
}

function Component({ runs, onRender }: Props) {
  onRender(
    useSingleFlight<string, null>({
      mutate: (variables, callbacks) => void runs.push({ variables, callbacks }),
    }),
  )
  return null
}

/** The `mutate` of one rendered component, as the handlers of a double click share it. */
function render(runs: Run[]): Mutate {
  let rendered: Mutate = () => undefined
  const onRender = (mutate: Mutate) => {
    rendered = mutate
  }
  renderToStaticMarkup(<Component runs={runs} onRender={onRender} />)
  return rendered
}

test('a second call before the page has rendered again does not run the mutation twice', () => {
  const runs: Run[] = []
  const mutate = render(runs)
  mutate('first')
  mutate('second')
  expect(runs.map(({ variables }) => variables)).toEqual(['first'])
})

test('a call after the mutation has settled runs it again', () => {
  const runs: Run[] = []
  const successes: string[] = []
  const mutate = render(runs)
  mutate('first', () => successes.push('first'))
  runs[0]?.callbacks.onSuccess?.(null)
  runs[0]?.callbacks.onSettled?.()
  mutate('second')
  expect(runs.map(({ variables }) => variables)).toEqual(['first', 'second'])
  expect(successes).toEqual(['first'])
})
