import type { EvaluatorCollection } from '@assay/contract/evaluators.ts'
import { ConfirmDialog } from '@assay/ui/ConfirmDialog.tsx'
import type { Column } from '@assay/ui/table/table-model.ts'
import { useDialog } from '@assay/ui/use-dialog.ts'
import { Button } from '@mantine/core'
import { IconPlus, IconStack2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { collectionsQuery } from '../../api/evaluations.ts'
import { useRemoveCollection } from '../../api/evaluators.ts'
import { ListPage } from '../../page/ListPage.tsx'
import { PermissionNote } from '../../page/PermissionNote.tsx'
import { TwoLines } from '../../page/TwoLines.tsx'
import { useProject } from '../../shell/use-project.ts'
import { CollectionDialog, type CollectionTarget } from './CollectionDialog.tsx'
import { CollectionMembers } from './CollectionMembers.tsx'
import { formatModelNeed } from './evaluator-labels.ts'
import styles from './evaluators.module.css'
import { StoppedRules } from './StoppedRules.tsx'

/** The built-in collections and those of the organization. */
export function CollectionsPage() {
  const current = useProject()
  const { organization, project, can } = current
  const editing = useDialog<CollectionTarget>()
  const removing = useDialog<EvaluatorCollection>()
  const [openId, setOpenId] = useState<string>()
  const listActions = (collection: EvaluatorCollection) => [
    { label: 'Copy', onSelect: () => editing.open({ mode: 'copy', collection }) },
    ...(collection.is_default
      ? []
      : [
          { label: 'Edit', onSelect: () => editing.open({ mode: 'edit', collection }) },
          { label: 'Delete', isDanger: true, onSelect: () => removing.open(collection) },
        ]),
  ]
  return (
    <ListPage
      title="Collections"
      lead={`Evaluators that run together on a trace. All projects of ${organization.name} share them. Copy a built-in collection to change it.`}
      note={
        <PermissionNote
          access={current}
          needs="manage_agents"
          to="create evaluators and collections"
        />
      }
      action={
        can('manage_agents') && (
          <Button
            leftSection={<IconPlus size={14} />}
            onClick={() => editing.open({ mode: 'new', collection: null })}
          >
            New collection
          </Button>
        )
      }
      isWide
      rows={useQuery(collectionsQuery(organization.id))}
      noun={['collection', 'collections']}
      columns={columns}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      isRowClickable
      details={{
        isOpen: ({ id }) => id === openId,
        onToggle: ({ id }) => setOpenId(id === openId ? undefined : id),
        render: ({ evaluators }) => (
          <CollectionMembers projectId={project.id} evaluators={evaluators} />
        ),
      }}
      actions={can('manage_agents') ? listActions : undefined}
      empty={{ Icon: IconStack2, title: 'No collections', text: 'Create one to evaluate traces.' }}
    >
      <CollectionDialog orgId={organization.id} dialog={editing} />
      <ConfirmDialog
        dialog={removing}
        mutation={useRemoveCollection(organization.id)}
        variables={({ id }) => id}
        title="Delete this collection?"
        confirmLabel="Delete collection"
      >
        {({ id, name }) => (
          <>
            <p>
              <strong>{name}</strong> can no longer be run. Its evaluators and stored results are
              kept.
            </p>
            <p>
              <StoppedRules projectId={project.id} collectionId={id} />
            </p>
          </>
        )}
      </ConfirmDialog>
    </ListPage>
  )
}

const columns: readonly Column<EvaluatorCollection>[] = [
  {
    key: 'name',
    header: 'Collection',
    className: styles.name,
    cell: ({ name, description }) => (
      <TwoLines below={description}>
        <strong>{name}</strong>
      </TwoLines>
    ),
    sortValue: ({ name }) => name,
  },
  {
    key: 'evaluators',
    header: 'Evaluators',
    align: 'end',
    cell: ({ evaluators }) => evaluators.length,
    sortValue: ({ evaluators }) => evaluators.length,
  },
  {
    key: 'model',
    header: 'Model',
    cell: ({ evaluators }) => formatModelNeed(evaluators),
  },
  {
    key: 'source',
    header: 'Source',
    cell: ({ is_default }) =>
      is_default ? <span className="dimmed">Built in</span> : <strong>Custom</strong>,
    sortValue: ({ is_default }) => Number(is_default),
  },
]
