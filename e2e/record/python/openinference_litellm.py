"""OpenInference's instrumentation of LiteLLM."""

import json
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402
from conversation import (  # noqa: E402
    CLAUDE,
    MODEL,
    MODEL_URL,
    OPENAI_TOOL,
    PROVIDER,
    QUESTION,
    ROOT_URL,
    SYSTEM,
    tracer_provider,
    weather_in,
)
from openinference.instrumentation.litellm import LiteLLMInstrumentor  # noqa: E402

provider = tracer_provider()
LiteLLMInstrumentor().instrument(tracer_provider=provider)
models = {
    "openai": {"model": f"openai/{MODEL}", "api_base": MODEL_URL},
    "anthropic": {"model": f"anthropic/{CLAUDE}", "api_base": ROOT_URL},
}
settings = {**models[PROVIDER], "api_key": "none", "tools": [OPENAI_TOOL]}
messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": QUESTION}]
first = litellm.completion(messages=messages, **settings)
calling = first.choices[0].message
[call] = calling.tool_calls
messages += [
    calling.model_dump(include={"role", "content", "tool_calls"}),
    {"role": "tool", "tool_call_id": call.id, "content": json.dumps(weather_in("Paris"))},
]
litellm.completion(messages=messages, **settings)
provider.shutdown()
