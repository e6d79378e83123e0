import { expect, test } from 'vitest'
import { describe as describeAnswer } from './read-answers.ts'

test.each([
  ['English', 'The order is on its way to you, and it will be there in two days.'],
  ['German', 'Die Bestellung ist auf dem Weg, und Sie haben sie in zwei Tagen.'],
  ['French', 'La commande est en route, et vous allez la recevoir dans les deux jours.'],
  ['Spanish', 'El pedido está en camino y la entrega es en los próximos días.'],
  ['Japanese', 'ご注文は発送されました。'],
  ['Chinese', '您的订单已经发货。'],
  ['Korean', '주문이 발송되었습니다.'],
  [null, 'OK'],
  [null, '{"order": 1042}'],
])('the language %s is found', (language, text) => {
  expect(describeAnswer(text).language).toBe(language)
})

test.each([
  ['contractions', 'The order is not here, and I can’t find it for you.'],
  ['exclamation_marks', 'The order is here, and it is for you!'],
  ['emoji', 'The order is here 🎉 and it is for you.'],
  ['formal_address', 'Die Bestellung ist da, und wir danken Ihnen für das Vertrauen.'],
  ['informal_address', 'Die Bestellung ist da, und du hast sie für dich und die Familie.'],
  ['courtesy', 'The order is here, and thank you for it.'],
  ['lists', 'These are here:\n- one\n- two'],
] as const)('the sign %s has a quote', (sign, text) => {
  const { signs } = describeAnswer(text)
  expect(Object.keys(signs)).toContain(sign)
  expect(text).toContain(signs[sign])
})

test('a plain answer has no signs', () => {
  expect(describeAnswer('The order is on the way to you.').signs).toEqual({})
})
