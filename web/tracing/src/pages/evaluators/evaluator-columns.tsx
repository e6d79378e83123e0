import { type Evaluator, isJudge } from '@assay/contract/evaluators.ts'
import { countOf } from '@assay/ui/count-of.ts'
import { unknown } from '@assay/ui/number-format.ts'
import type { Column } from '@assay/ui/table/table-model.ts'
import { TwoLines } from '../../page/TwoLines.tsx'
import { CodeText } from '../../parts/CodeText.tsx'
import {
  categoryLabels,
  firstSentence,
  formatAccuracy,
  formatThreshold,
  formatUse,
} from './evaluator-labels.ts'
import styles from './evaluators.module.css'

export const evaluatorColumns: readonly Column<Evaluator>[] = [
  {
    key: 'name',
    header: 'Evaluator',
    className: styles.name,
    cell: ({ name, description }) => (
      <TwoLines
        below={
          <span className={styles.sentence}>
            <CodeText text={firstSentence(description)} />
          </span>
        }
      >
        <strong>{name}</strong>
      </TwoLines>
    ),
    sortValue: ({ name }) => name,
  },
  {
    key: 'category',
    header: 'Category',
    narrow: 'bare',
    className: styles.line,
    cell: ({ category, is_default }) => (
      <TwoLines below={is_default ? 'Built in' : <strong className={styles.own}>Custom</strong>}>
        {categoryLabels[category]}
      </TwoLines>
    ),
    sortValue: ({ category }) => categoryLabels[category],
  },
  {
    key: 'needs',
    header: 'Needs',
    hint: 'Evaluators without a model run at once and always give a trace the same score',
    className: styles.reads,
    narrow: 'bare',
    cell: (one) => (
      <TwoLines below={one.reads.join(', ')}>{isJudge(one) ? 'A model' : 'No model'}</TwoLines>
    ),
    sortValue: (one) => Number(isJudge(one)),
  },
  {
    key: 'threshold',
    header: 'Threshold',
    hint: 'A trace passes with this score or more. Below: what a failure is good for',
    className: styles.line,
    width: 160,
    cell: (one) => (
      <TwoLines below={formatUse(one)}>
        <span className="number">{formatThreshold(one.threshold)}</span>
      </TwoLines>
    ),
    sortValue: ({ threshold }) => threshold,
  },
  {
    key: 'accuracy',
    header: 'Accuracy',
    hint: 'Precision: the share of its failures that are real. Recall: the share of real faults that it finds',
    className: styles.line,
    width: 190,
    cell: (one) => {
      const [first] = one.accuracy?.measurements ?? []
      if (first === undefined) {
        if (!one.is_default) return unknown
        return <TwoLines below={isJudge(one) ? null : 'Deterministic'}>Not measured</TwoLines>
      }
      return (
        <TwoLines below={`on ${countOf(first.cases, 'case')}`}>
          <span className="number">{formatAccuracy(first)}</span>
        </TwoLines>
      )
    },
    sortValue: ({ accuracy }) => accuracy?.measurements[0]?.recall ?? null,
  },
]
