"""Logfire's instrumentation of OpenAI's responses, with a call that is refused."""

import json

import logfire
from conversation import (
    MODEL,
    OPENAI_TOOL,
    QUESTION,
    REFUSED,
    SYSTEM,
    expect_refusal,
    openai_client,
    weather_in,
)

# Its exporter is configured by OpenTelemetry's environment variables.
logfire.configure(send_to_logfire=False, console=False, metrics=False, service_version="1.0.0")
client = openai_client()
logfire.instrument_openai(client)
settings = {"instructions": SYSTEM, "tools": [{"type": "function", **OPENAI_TOOL["function"]}]}
with logfire.span("answer {question}", question=QUESTION):
    messages = [{"role": "user", "content": QUESTION}]
    first = client.responses.create(model=MODEL, input=messages, **settings)
    [call] = first.output
    result = json.dumps(weather_in("Paris"))
    answered = {"type": "function_call_output", "call_id": call.call_id, "output": result}
    messages += [call.model_dump(exclude_none=True), answered]
    for _ in client.responses.create(model=MODEL, input=messages, stream=True, **settings):
        pass
expect_refusal(lambda: client.responses.create(model=REFUSED, input=QUESTION))
logfire.shutdown()
