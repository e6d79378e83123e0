import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { Snippet } from '@assay/ui/Snippet.tsx'
import { Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useRevealedKey } from '../../api/revealed-keys.ts'
import { isSample } from '../../api/sample-project.ts'
import { canCreateProject } from '../../shell/can-create-project.ts'
import { LoadSampleButton } from '../../shell/LoadSampleButton.tsx'
import { useProject } from '../../shell/use-project.ts'
import { IncomingTraces } from './IncomingTraces.tsx'
import { KeyBox } from './KeyBox.tsx'
import styles from './send.module.css'
import { keyPlaceholder, type Snippet as SnippetOfClient } from './snippet.ts'
import { snippetsFor } from './snippets.ts'
import { useIncomingTraces } from './use-incoming-traces.ts'

const route = getRouteApi('/signed-in/p/$projectId/send')

const untested: Readonly<Record<Exclude<SnippetOfClient['tested'], 'run'>, string>> = {
  recorded: 'Not run by our tests, which check recorded requests of this client instead.',
  no: 'Not run by our tests.',
}

/** Snippets that send a trace, and the traces that arrive. */
export function SendPage() {
  const { projectId } = route.useParams()
  const { with: requestedId } = usePageSearch(route)
  const navigate = route.useNavigate()
  const current = useProject()
  const incoming = useIncomingTraces(projectId)
  const key = useRevealedKey(projectId)
  const snippets = snippetsFor(location.origin, key ?? keyPlaceholder)
  const selected = snippets.find(({ id }) => id === requestedId) ?? snippets[0]
  if (selected === undefined) return null

  return (
    <div className={styles.page}>
      <header>
        <h1 className={styles.title}>
          {incoming.isFirst === true
            ? 'Send your first trace'
            : `Send traces to ${current.project.name}`}
        </h1>
        <p className={styles.lead}>
          Paste one of these where your agent runs. Data is stored before the request returns and
          appears here at once.
        </p>
      </header>
      <IncomingTraces projectId={projectId} incoming={incoming} />
      <KeyBox projectId={projectId} canCreate={current.can('manage_org_settings')} />
      <Tabs
        value={selected.id}
        onChange={(id) => void navigate({ search: id === null ? {} : { with: id }, replace: true })}
      >
        <Tabs.List className={styles.tabs} aria-label="Client">
          {snippets.map(({ id, title }) => (
            <Tabs.Tab key={id} value={id}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={selected.id} className={styles.panel}>
          <p className={styles.lead}>
            {selected.lead}
            {selected.tested !== 'run' && ` ${untested[selected.tested]}`}
          </p>
          {selected.steps.map(({ label, text }) => (
            <section key={label} aria-label={label}>
              <h2 className={styles.step}>{label}</h2>
              <Snippet text={text} copyLabel={`Copy: ${label}`} isWrapped={label === 'Install'} />
            </section>
          ))}
        </Tabs.Panel>
      </Tabs>
      {canCreateProject(current.organization) && !isSample(current.project) && (
        <div className={styles.sample}>
          <p className={styles.lead}>
            No agent at hand? Explore a separate project with sample data.
          </p>
          <LoadSampleButton organization={current.organization} />
        </div>
      )}
    </div>
  )
}
