import { errorsByField, schemaErrors } from '@assay/account/form/schema-errors.ts'
import { LinkButton } from '@assay/account/parts/LinkButton.tsx'
import { usePageSearch } from '@assay/account/routes/use-page-search.ts'
import { type AgentTool, agentConfig } from '@assay/contract/agent-config.ts'
import { limits } from '@assay/contract/limits.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { formatCount } from '@assay/ui/number-format.ts'
import { Button, Textarea } from '@mantine/core'
import { IconArrowRight, IconFileImport, IconFileText } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type SyntheticEvent, useRef, useState } from 'react'
import { emptyDraft } from '../../api/agent-drafts.ts'
import { PageHead } from '../../page/PageHead.tsx'
import page from '../../page/page.module.css'
import { ReplaceDraftButton } from '../../parts/ReplaceDraftButton.tsx'
import { AgentTools } from './AgentTools.tsx'
import styles from './cost-calculator.module.css'
import { useDraft } from './use-draft.ts'

const route = getRouteApi('/signed-in/p/$projectId/cost-calculator/agent')

/** The agent of which the cost is estimated. */
export function AgentPage() {
  const { projectId } = route.useParams()
  const { draft, isStored, changeAgent } = useDraft()
  const { agent, imported } = draft
  const search = usePageSearch(route)
  const navigate = route.useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [isSubmitted, setSubmitted] = useState(false)
  // Stays open while its fields are emptied.
  const [isMoreOpen, setMoreOpen] = useState(agent.tone !== '' || agent.memory !== '')
  const errors = errorsByField(schemaErrors(agentConfig, agent), Object.keys(agent), agent).fields

  /** An empty field is no error before the person continues. */
  const errorAt = (name: string) =>
    isSubmitted || errors[name] !== 'Required' ? errors[name] : undefined

  function submit(event: SyntheticEvent): void {
    event.preventDefault()
    setSubmitted(true)
    const [first] = Object.keys(errors)
    if (first === undefined) {
      return void navigate({ to: '/p/$projectId/cost-calculator/estimate', search })
    }
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
  }

  const text = (name: 'system_prompt' | 'tone' | 'memory') => ({
    name,
    value: agent[name],
    error: errorAt(name),
    onChange: (event: { readonly currentTarget: HTMLTextAreaElement }) =>
      changeAgent({ [name]: event.currentTarget.value }),
  })
  return (
    <div className={page.page}>
      <PageHead
        title="Agent"
        lead="Describe an agent to see what it costs with several models, before you run it. No model is called. The agent stays in this browser until you generate scenarios or sign out."
        action={<AgentSources projectId={projectId} />}
      />
      {imported?.runs !== undefined && (
        <p className={styles.notice}>
          Imported from {countOf(imported.runs, 'recorded run')}, whose volumes the estimate uses.
        </p>
      )}
      {!isStored && (
        <p className={styles.notice} role="status">
          This agent does not fit into the storage of the browser. It is lost when you reload the
          page.
        </p>
      )}
      <form ref={form} noValidate className={styles.agent} onSubmit={submit}>
        <Textarea
          label="System prompt"
          description={formatLength(agent.system_prompt, limits.systemPromptLength.value)}
          required
          autosize
          minRows={8}
          maxRows={24}
          {...text('system_prompt')}
        />
        <AgentTools
          tools={agent.tools}
          error={errorAt('tools')}
          onChange={(tools: readonly AgentTool[]) => changeAgent({ tools: [...tools] })}
        />
        <details
          className={styles.more}
          open={isMoreOpen}
          onToggle={(event) => setMoreOpen(event.currentTarget.open)}
        >
          <summary>Tone and memory</summary>
          <Textarea
            label="Tone"
            description="Optional. How the agent writes; sent with the system prompt."
            autosize
            minRows={2}
            maxRows={8}
            {...text('tone')}
          />
          <Textarea
            label="Memory"
            description="Optional. What the agent remembers; sent with each call."
            autosize
            minRows={2}
            maxRows={8}
            {...text('memory')}
          />
        </details>
        <div className={page.line}>
          <Button type="submit" size="sm" rightSection={<IconArrowRight size={15} />}>
            Estimate costs
          </Button>
          {draft !== emptyDraft && (
            <ReplaceDraftButton
              next={emptyDraft}
              question="Clear the entered agent?"
              confirmLabel="Clear"
              size="sm"
              onDone={() => setSubmitted(false)}
            >
              Clear
            </ReplaceDraftButton>
          )}
        </div>
      </form>
    </div>
  )
}

/** Other ways to an agent than to enter it. */
function AgentSources({ projectId }: { readonly projectId: string }) {
  return (
    <div className={page.line}>
      <LinkButton
        variant="default"
        leftSection={<IconFileText size={14} />}
        to="/p/$projectId/synthetic"
        params={{ projectId }}
      >
        From a document
      </LinkButton>
      <LinkButton
        variant="default"
        leftSection={<IconFileImport size={14} />}
        to="/p/$projectId/cost-calculator/import"
        params={{ projectId }}
      >
        Import from recorded runs
      </LinkButton>
    </div>
  )
}

function formatLength({ length }: string, max: number): string {
  return `${formatCount(length)} of ${formatCount(max)} characters`
}
