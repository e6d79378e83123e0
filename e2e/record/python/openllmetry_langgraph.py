"""A LangGraph agent, instrumented by OpenLLMetry for LangChain."""

from conversation import tracer_provider
from langgraph_agent import ask_langgraph
from opentelemetry.instrumentation.langchain import LangchainInstrumentor

provider = tracer_provider()
LangchainInstrumentor().instrument(tracer_provider=provider)
ask_langgraph()
provider.shutdown()
