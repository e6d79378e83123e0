"""A DSPy agent, instrumented by OpenInference for DSPy and LiteLLM."""

import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import dspy  # noqa: E402
from conversation import MODEL, MODEL_URL, QUESTION, tracer_provider  # noqa: E402
from openinference.instrumentation.dspy import DSPyInstrumentor  # noqa: E402
from openinference.instrumentation.litellm import LiteLLMInstrumentor  # noqa: E402

provider = tracer_provider()
DSPyInstrumentor().instrument(tracer_provider=provider)
LiteLLMInstrumentor().instrument(tracer_provider=provider)
lm = dspy.LM(f"openai/{MODEL}", api_base=MODEL_URL, api_key="none", cache=False)
with dspy.context(lm=lm):
    lm(QUESTION)
provider.shutdown()
