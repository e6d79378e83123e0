"""The conversation of the recordings, and the exporter of its spans.

Endpoint, headers and compression of the exporter come from OpenTelemetry's environment variables.
"""

import json
import os
import sys
from collections.abc import Callable

from opentelemetry import trace
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor

MODEL_URL = os.environ["MODEL_URL"]
# The base URL for clients that append the version themselves.
ROOT_URL = MODEL_URL.removesuffix("/v1")

MODEL = "gpt-4o-mini"
CLAUDE = "claude-sonnet-4-5"
GEMINI = "gemini-2.5-flash"
# The fake provider has no such model.
REFUSED = "refused-model"
# For scripts that work with several providers.
PROVIDER = os.environ.get("PROVIDER", "openai")
SYSTEM = "You are terse."
QUESTION = "Weather in Paris? 🌧"
SESSION = "session-1"
USER = "ana"


def weather_in(city: str) -> dict:
    return {"temp": 14, "sky": "rain"}


PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
}
OPENAI_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather in a city, now.",
        "parameters": PARAMETERS,
    },
}
ANTHROPIC_TOOL = {
    "name": "get_weather",
    "description": "The weather in a city, now.",
    "input_schema": PARAMETERS,
}


def tracer_provider(*rewriting: SpanProcessor) -> TracerProvider:
    """The global provider; its spans are sent at shutdown, after `rewriting`."""
    resource = Resource.create({"service.name": os.environ["OTEL_SERVICE_NAME"]})
    provider = TracerProvider(resource=resource)
    for each in rewriting:
        provider.add_span_processor(each)
    # A delay longer than any recording sends all spans in one request.
    processor = BatchSpanProcessor(OTLPSpanExporter(), schedule_delay_millis=600_000)
    provider.add_span_processor(processor)
    trace.set_tracer_provider(provider)
    return provider


def ask_openai(client, get_weather=weather_in) -> str:
    """The conversation with an OpenAI client: the second turn is streamed."""
    messages = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": QUESTION},
    ]
    first = client.chat.completions.create(model=MODEL, messages=messages, tools=[OPENAI_TOOL])
    calling = first.choices[0].message
    [call] = calling.tool_calls
    result = get_weather(**json.loads(call.function.arguments))
    messages += [
        calling.model_dump(exclude_none=True),
        {"role": "tool", "tool_call_id": call.id, "content": json.dumps(result)},
    ]
    stream = client.chat.completions.create(
        model=MODEL,
        messages=messages,
        tools=[OPENAI_TOOL],
        stream=True,
        stream_options={"include_usage": True},
    )
    deltas = [chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices]
    return "".join(deltas)


def ask_anthropic(client, get_weather=weather_in) -> str:
    """The conversation with an Anthropic client: the second turn is streamed."""
    settings = {"model": CLAUDE, "max_tokens": 200, "system": SYSTEM, "tools": [ANTHROPIC_TOOL]}
    messages = [{"role": "user", "content": QUESTION}]
    first = client.messages.create(messages=messages, **settings)
    [use] = [block for block in first.content if block.type == "tool_use"]
    result = json.dumps(get_weather(**use.input))
    calling = use.model_dump(include={"type", "id", "name", "input"})
    answered = {"type": "tool_result", "tool_use_id": use.id, "content": result}
    messages += [
        {"role": "assistant", "content": [calling]},
        {"role": "user", "content": [answered]},
    ]
    stream = client.messages.create(messages=messages, stream=True, **settings)
    deltas = [event.delta for event in stream if event.type == "content_block_delta"]
    return "".join(delta.text for delta in deltas)


def openai_client():
    from openai import OpenAI

    return OpenAI(base_url=MODEL_URL, api_key="none", max_retries=0)


def anthropic_client():
    from anthropic import Anthropic

    return Anthropic(base_url=ROOT_URL, api_key="none", max_retries=0)


def expect_refusal(call: Callable[[], object]) -> None:
    # Stack traces would contain paths of the machine.
    sys.tracebacklimit = 0
    try:
        call()
    except Exception:
        return
    raise AssertionError("the fake provider accepted a request that it should refuse")


def refuse_openai(client) -> None:
    messages = [{"role": "user", "content": QUESTION}]
    expect_refusal(lambda: client.chat.completions.create(model=REFUSED, messages=messages))


def refuse_anthropic(client) -> None:
    messages = [{"role": "user", "content": QUESTION}]
    expect_refusal(
        lambda: client.messages.create(model=REFUSED, max_tokens=200, messages=messages)
    )
